/**
 * The default keywords for opting out and in: those that carriers worldwide recognize, and the plain verb of each
 * language.
 */
import type { OptOutLanguages } from './opt-out.ts'

export const DEFAULT_OPT_OUT_LANGUAGES: OptOutLanguages = {
  ar: { stop: ['توقف', 'إيقاف', 'الغاء', 'الغاء الاشتراك'], start: ['ابدأ', 'اشتراك'] },
  bg: { stop: ['стоп', 'спри', 'отписване'], start: ['старт', 'абонирай'] },
  cs: { stop: ['konec', 'odhlásit', 'zrušit'], start: ['přihlásit'] },
  da: { stop: ['afmeld', 'frameld'], start: ['tilmeld'] },
  de: { stop: ['stopp', 'abmelden', 'abbestellen', 'ende'], start: ['anmelden'] },
  el: { stop: ['στοπ', 'διακοπή', 'διαγραφή'], start: ['έναρξη', 'εγγραφή'] },
  en: {
    stop: ['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'optout', 'cancel', 'end', 'quit', 'revoke'],
    start: ['start', 'unstop', 'subscribe', 'opt in', 'optin', 'resume'],
  },
  es: { stop: ['parar', 'alto', 'baja', 'cancelar', 'cancelar suscripción'], start: ['alta', 'suscribir', 'iniciar'] },
  et: { stop: ['lõpeta', 'loobu'], start: ['alusta', 'liitu'] },
  fi: { stop: ['lopeta', 'peruuta', 'seis'], start: ['aloita', 'tilaa'] },
  fr: { stop: ['arrêt', 'arrêter', 'désabonner', 'désinscription', 'fin'], start: ['abonner', 'reprendre', 'début'] },
  he: { stop: ['הסר', 'הסרה', 'עצור', 'הפסק'], start: ['התחל', 'הרשמה'] },
  hi: { stop: ['रोकें', 'बंद', 'बंद करें'], start: ['शुरू', 'शुरू करें'] },
  hr: { stop: ['odjava', 'prekid'], start: ['prijava'] },
  hu: { stop: ['leiratkozás', 'leiratkozom'], start: ['feliratkozás', 'feliratkozom'] },
  id: { stop: ['berhenti', 'batal'], start: ['mulai', 'langganan'] },
  it: { stop: ['ferma', 'basta', 'annulla', 'cancella', 'disiscrivi'], start: ['inizia', 'riprendi', 'iscrivi'] },
  ja: { stop: ['停止', '配信停止', 'ストップ', '解除'], start: ['開始', '再開', 'スタート'] },
  ko: { stop: ['수신거부', '중지', '정지'], start: ['수신동의', '시작'] },
  lt: { stop: ['atsisakyti', 'atsisakau', 'nebesiųsti'], start: ['pradėti', 'sutinku'] },
  lv: { stop: ['apturēt', 'atteikties', 'atteikšanās'], start: ['sākt', 'pieteikties'] },
  nb: { stop: ['stopp', 'avmeld', 'slutt'], start: ['påmeld'] },
  nl: { stop: ['stoppen', 'afmelden', 'uitschrijven', 'einde'], start: ['aanmelden', 'hervatten'] },
  pl: { stop: ['koniec', 'wypisz', 'rezygnuję', 'anuluj'], start: ['wznów', 'zapisz'] },
  pt: { stop: ['parar', 'pare', 'sair', 'cancelar', 'remover'], start: ['iniciar', 'voltar', 'começar'] },
  ro: { stop: ['oprire', 'dezabonare', 'renunț'], start: ['pornire', 'abonare'] },
  ru: { stop: ['стоп', 'отписаться', 'отписка', 'отмена'], start: ['старт', 'подписаться', 'возобновить'] },
  sk: { stop: ['koniec', 'odhlásiť', 'zrušiť'], start: ['prihlásiť'] },
  sl: { stop: ['odjava', 'ustavi'], start: ['prijava', 'začni'] },
  sv: { stop: ['stopp', 'avregistrera', 'avsluta'], start: ['börja', 'registrera'] },
  th: { stop: ['หยุด', 'ยกเลิก'], start: ['เริ่ม', 'สมัคร'] },
  tr: { stop: ['dur', 'iptal', 'ret', 'çıkış'], start: ['başla', 'devam', 'kabul'] },
  uk: { stop: ['стоп', 'відписатися', 'відписка', 'скасувати'], start: ['старт', 'підписатися'] },
  vi: { stop: ['dừng', 'huỷ', 'ngừng'], start: ['bắt đầu', 'đăng ký'] },
  zh: { stop: ['退订', '退訂', '停止', '取消', 'TD'], start: ['订阅', '訂閱', '开始', '開始'] },
}
