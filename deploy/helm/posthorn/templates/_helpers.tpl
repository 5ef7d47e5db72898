{{- define "posthorn.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Of all pods of a release. */}}
{{- define "posthorn.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "posthorn.labels" -}}
{{ include "posthorn.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The roles that run as pods of their own, with spaces between them. */}}
{{- define "posthorn.roles" -}}
{{ if and (eq .Values.mode "cluster") .Values.cluster.roles.enabled }}api delivery{{ else }}all{{ end }}
{{- end }}

{{- define "posthorn.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "posthorn.secret" -}}
{{ required "secret.existing: name the Secret with the key secret-key (openssl rand -hex 32), see README.md" .Values.secret.existing }}
{{- end }}

{{/* Helm reads numbers as floats, and prints those of a million and more as 1e+06; JSON prints all their digits. */}}
{{- define "posthorn.text" -}}
{{ if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}

{{/* Where the pods of a release run. */}}
{{- define "posthorn.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Takes root and database: the key of the database's address in the Secret; empty for a file in the volume. */}}
{{- define "posthorn.env" -}}
{{- $root := .root -}}
- name: POSTHORN_HOST
  value: 0.0.0.0
- name: POSTHORN_ADMIN_HOST
  value: 0.0.0.0
- name: POSTHORN_DATA_DIR
  value: /data
- name: POSTHORN_SECRET_KEY_FILE
  value: /etc/posthorn/secret/secret-key
{{- if .database }}
- name: POSTHORN_DATABASE_FILE
  value: /etc/posthorn/secret/{{ .database }}
{{- end }}
{{- if $root.Values.secret.smtpUrl }}
- name: POSTHORN_SMTP_URL_FILE
  value: /etc/posthorn/secret/smtp-url
{{- end }}
{{- if $root.Values.secret.metricsToken }}
- name: POSTHORN_METRICS_TOKEN_FILE
  value: /etc/posthorn/secret/metrics-token
{{- end }}
{{- range $name, $value := $root.Values.settings }}
- name: POSTHORN_{{ $name }}
  value: {{ include "posthorn.text" $value | quote }}
{{- end }}
{{- end }}

{{- define "posthorn.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "posthorn.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Takes root, name, words and database: a container that runs one command. */}}
{{- define "posthorn.command" -}}
- name: {{ .name }}
  image: {{ include "posthorn.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: {{ toJson .words }}
  env:
    {{- include "posthorn.env" . | nindent 4 }}
  securityContext:
    {{- include "posthorn.containerSecurity" .root | nindent 4 }}
  resources:
    requests:
      cpu: 100m
      memory: 128Mi
    limits:
      memory: 512Mi
  volumeMounts:
    {{- include "posthorn.mounts" .root | nindent 4 }}
{{- end }}

{{- define "posthorn.mounts" -}}
- name: secret
  mountPath: /etc/posthorn/secret
  readOnly: true
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- end }}

{{/* Those that a pod has beside its data. */}}
{{- define "posthorn.volumes" -}}
- name: secret
  secret:
    secretName: {{ include "posthorn.secret" . }}
    defaultMode: 0400
- name: tmp
  emptyDir: {}
{{- end }}

{{/* Takes root, role and replicas: the pod of gateways. */}}
{{- define "posthorn.pod" -}}
{{- $root := .root -}}
{{- $cluster := eq $root.Values.mode "cluster" -}}
{{- $database := ternary "database" "" $cluster -}}
metadata:
  labels:
    {{- include "posthorn.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $root.Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: gateway
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "posthorn.name" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "posthorn.podSecurity" $root | nindent 4 }}
  # Longer than a gateway needs to finish the messages in flight.
  terminationGracePeriodSeconds: 60
  {{- if and (not $cluster) $root.Values.single.init }}
  initContainers:
    {{- include "posthorn.command" (dict "root" $root "name" "init" "words" (list "init") "database" "") | nindent 4 }}
  {{- end }}
  containers:
    - name: gateway
      image: {{ include "posthorn.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [serve]
      env:
        {{- include "posthorn.env" (dict "root" $root "database" $database) | nindent 8 }}
        {{- if ne .role "all" }}
        - name: POSTHORN_ROLE
          value: {{ .role }}
        {{- end }}
      ports:
        - name: public
          containerPort: 8080
        - name: admin
          containerPort: 8081
      # Alive also while it waits for its database; ready when it can take requests.
      livenessProbe:
        httpGet:
          path: /healthz
          port: admin
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: admin
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 1
      securityContext:
        {{- include "posthorn.containerSecurity" $root | nindent 8 }}
      resources:
        {{- toYaml $root.Values.resources | nindent 8 }}
      volumeMounts:
        {{- include "posthorn.mounts" $root | nindent 8 }}
  volumes:
    {{- include "posthorn.volumes" $root | nindent 4 }}
    {{- if $cluster }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- if $cluster }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "posthorn.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  {{- with include "posthorn.placement" $root | trim }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}
