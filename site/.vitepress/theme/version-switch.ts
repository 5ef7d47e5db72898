/**
 * Shows the version of this build, and leads to other versions. They are listed in a file beside the folders of all
 * versions, so that older builds know newer ones. Without that file there is only this version.
 */
import { defineComponent, h, onMounted, ref } from 'vue'

export const VersionSwitch = defineComponent({
  // The menu of phones says that it is one.
  inheritAttrs: false,
  props: {
    version: { type: String, required: true },
    versionsBase: { type: String, required: true },
  },
  setup(props) {
    const own = props.version.split('.', 2).join('.')
    const others = ref<readonly string[]>([])
    onMounted(async () => {
      const response = await fetch(`${props.versionsBase}versions.json`)
      if (response.ok) others.value = ((await response.json()) as string[]).filter((each) => each !== own)
    })
    const open = (version: string) => {
      if (version !== own) location.href = `${props.versionsBase}v${version}/`
    }
    return () =>
      h('label', { class: 'version-switch' }, [
        h('span', { class: 'visually-hidden' }, 'Version'),
        h(
          'select',
          { value: own, onChange: ({ target }: Event) => open((target as HTMLSelectElement).value) },
          [own, ...others.value].map((version) => {
            const text = version === own ? `v${props.version}` : `v${version}`
            return h('option', { key: version, value: version }, text)
          }),
        ),
      ])
  },
})
