// Renders a Helm chart with the template engine that Helm uses (text/template and sprig), where Helm itself is missing.
// Usage: render <chart folder> <release> <namespace> <values file>...; prints each template as JSON: {"name": "text"}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func main() {
	chart, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	for _, path := range os.Args[4:] {
		merge(values, readYaml(path))
	}
	about := object{}
	for name, value := range readYaml(filepath.Join(chart, "Chart.yaml")) {
		about[strings.ToUpper(name[:1])+name[1:]] = value
	}
	data := object{
		"Values":  values,
		"Chart":   about,
		"Release": object{"Name": release, "Namespace": namespace, "Service": "Helm"},
	}

	// A missing value is an empty text, as in Helm.
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = toYaml
	functions["include"] = func(name string, of interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, of)
		return text.String(), err
	}
	functions["required"] = func(reason string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", reason)
		}
		return value, nil
	}
	all.Funcs(functions)

	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, data))
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func readYaml(path string) object {
	text, err := os.ReadFile(path)
	check(err)
	read := object{}
	check(yaml.Unmarshal(text, &read))
	return read
}

func toYaml(value interface{}) (string, error) {
	text, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

func merge(into, from object) {
	for name, value := range from {
		inner, isObject := value.(object)
		present, wasObject := into[name].(object)
		if isObject && wasObject {
			merge(present, inner)
		} else {
			into[name] = value
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
