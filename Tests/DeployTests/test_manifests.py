"""The files of deploy/container and deploy/kubernetes: by the linters and schemas of those who will read them, and held
against each other, the broker's definitions and the program."""

import copy
import functools
import json
import os
import re
import tempfile
import unittest
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from jsonschema import Draft202012Validator

from _broker import DEFINITIONS
from _program import BINARY, DEPLOY, ROOT, run

LINTERS = Path(os.environ.get("WIDGETD_TEST_LINTERS") or ROOT / ".build" / "linters")
CONTAINER = DEPLOY / "container"
KUBERNETES = DEPLOY / "kubernetes"
# Kinds that Kubernetes itself does not know.
CUSTOM = ("ScaledObject", "TriggerAuthentication", "PodMonitor")


def setUpModule():
    libraries = "; ".join(f". {DEPLOY}/lib/{name}.sh" for name in ("messages", "packages", "linters"))
    run("bash", "-euo", "pipefail", "-c", f'{libraries}; need_linters "$1"', "bash", LINTERS, timeout=600)


def lint(program, *arguments):
    return run(LINTERS / "bin" / program, *arguments)


@functools.cache
def rendered():
    return lint("kubectl", "kustomize", KUBERNETES).stdout


def objects(kind):
    return [found for found in yaml.safe_load_all(rendered()) if found["kind"] == kind]


def strict(schema):
    """No member but those that the schema knows."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            strict(part)
    elif isinstance(schema, list):
        for part in schema:
            strict(part)
    return schema


@functools.cache
def validator(kind):
    return Draft202012Validator(strict(json.loads((LINTERS / "schemas" / f"{kind}.json").read_text())))


def drain_seconds():
    return int(re.search(r"--drain-timeout SECONDS .*\((\d+)\)", run(BINARY, "run", "--help").stdout)[1])


def check(env):
    """What the program says of a worker's environment, its secrets in files of ours."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = {
            "amqp-url": "amqps://widgetd:x@broker/widgets", "store": "redis://:x@redis:6379/0", "admin-token": "x"}
        for name, text in secrets.items():
            Path(folder, name).write_text(text + "\n")
        env = {name: f"{folder}/{Path(value).name}" if name.endswith("_FILE") else value for name, value in env.items()}
        done = run(BINARY, "check", env=env, check=False)
        return done.returncode, [line for line in done.stdout.splitlines() if line.startswith("fault")]


class ContainerTests(unittest.TestCase):
    def test_hadolint_has_nothing_against_the_dockerfile(self):
        lint("hadolint", CONTAINER / "Dockerfile")

    def test_the_compose_file_is_one(self):
        lint("check-jsonschema", "--builtin-schema", "vendor.compose-spec", CONTAINER / "compose.yaml")

    def test_promtool_accepts_the_configuration_of_prometheus(self):
        run("promtool", "check", "config", "--syntax-only", CONTAINER / "prometheus.yml")

    def test_each_file_that_compose_names_is_there_or_made_by_make_secrets(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "make-secrets")
            script.write_text((CONTAINER / "make-secrets").read_text())
            script.chmod(0o755)
            run(script)
            made = {path.name: path.read_text() for path in Path(folder, "secrets").iterdir()}
            run(script)
            self.assertEqual(made, {path.name: path.read_text() for path in Path(folder, "secrets").iterdir()})
        compose = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
        mounts = [volume.split(":")[0] for service in compose["services"].values()
                  for volume in service.get("volumes", []) if volume.startswith(".")]
        files = mounts + [secret["file"] for secret in compose["secrets"].values()]
        self.assertGreater(len(files), 10)
        for name in files:
            path = Path(name)
            self.assertTrue(path.name in made if path.parent.name == "secrets" else (CONTAINER / path).is_file(), name)
        users = json.loads(made["passwords.json"])["users"]
        self.assertEqual(urlsplit(made["amqp-url"]).password, users[0]["password"])
        wanted = json.loads((DEFINITIONS / "10-access.json").read_text())["users"]
        self.assertEqual([(u["name"], u["tags"]) for u in users], [(u["name"], u["tags"]) for u in wanted])

    def test_workers_are_bare_and_have_time_to_drain(self):
        services = yaml.safe_load((CONTAINER / "compose.yaml").read_text())["services"]
        workers = [service for name, service in services.items() if name.startswith("worker")]
        self.assertEqual(len(workers), 2)
        for worker in workers:
            self.assertTrue(worker["read_only"])
            self.assertEqual(worker["cap_drop"], ["ALL"])
            self.assertGreater(int(worker["stop_grace_period"].removesuffix("s")), drain_seconds())
            self.assertEqual(check(worker["environment"]), (0, []))


class KubernetesTests(unittest.TestCase):
    def test_kubernetes_accepts_what_kustomize_renders(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(rendered())
            file.flush()
            told = lint("kubernetes-validate", "--strict", file.name, KUBERNETES / "secrets.example.yaml")
        unknown = set(re.findall(r"find schema for kind (\w+)", told.stdout + told.stderr))
        self.assertEqual(unknown, set(CUSTOM))

    def test_keda_and_the_prometheus_operator_accept_theirs(self):
        for kind in CUSTOM:
            self.assertTrue(objects(kind), kind)
            for found in objects(kind):
                self.assertEqual([fault.message for fault in validator(kind).iter_errors(found)], [])
        # They would have noticed.
        faulty = copy.deepcopy(objects("ScaledObject")[0])
        faulty["spec"]["maxReplicas"] = 1
        self.assertFalse(validator("ScaledObject").is_valid(faulty))

    def test_each_shard_of_the_broker_has_one_worker_and_what_scales_it(self):
        definitions = json.loads((DEFINITIONS / "30-updates-shards.json").read_text())
        queues = sorted(queue["name"] for queue in definitions["queues"])
        scaled = {scaler["spec"]["scaleTargetRef"]["name"]: scaler["spec"] for scaler in objects("ScaledObject")}
        served = []
        for deployment in objects("Deployment"):
            pod = deployment["spec"]["template"]["spec"]
            env = {variable["name"]: variable["value"] for variable in pod["containers"][0]["env"]}
            self.assertEqual(check(env), (0, []))
            self.assertEqual(int(env["WIDGETD_SHARDS"]), len(queues))
            scaler = scaled.pop(deployment["metadata"]["name"])
            served.append(scaler["triggers"][0]["metadata"]["queueName"])
            self.assertEqual(served[-1], f"widgets.updates.{env['WIDGETD_CONSUME']}")
            self.assertEqual(scaler["maxReplicaCount"], 1)
        self.assertEqual(sorted(served), queues)
        self.assertEqual(scaled, {})
        self.assertIn(1, [scaler["spec"]["minReplicaCount"] for scaler in objects("ScaledObject")])

    def test_unacknowledged_messages_count(self):
        for scaler in objects("ScaledObject"):
            for trigger in scaler["spec"]["triggers"]:
                self.assertEqual(trigger["metadata"]["protocol"], "http")
                self.assertEqual(trigger["metadata"]["excludeUnacknowledged"], "false")

    def test_pods_have_time_to_drain_and_secrets_as_files(self):
        secrets = {secret["metadata"]["name"]: set(secret["stringData"])
                   for secret in yaml.safe_load_all((KUBERNETES / "secrets.example.yaml").read_text())}
        for deployment in objects("Deployment"):
            pod = deployment["spec"]["template"]["spec"]
            self.assertGreater(pod["terminationGracePeriodSeconds"], drain_seconds())
            container = pod["containers"][0]
            self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
            folder = container["volumeMounts"][0]["mountPath"]
            files = {v["value"] for v in container["env"] if v["name"].endswith("_FILE")}
            self.assertEqual(files, {f"{folder}/{key}" for key in secrets["widgetd"]})
        for wanted in objects("TriggerAuthentication")[0]["spec"]["secretTargetRef"]:
            self.assertIn(wanted["key"], secrets[wanted["name"]])

    def test_probes_are_commands_of_the_program(self):
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            command = objects("Deployment")[0]["spec"]["template"]["spec"]["containers"][0][probe]["exec"]["command"]
            done = run(BINARY, *command[1:], "--admin", "127.0.0.1:1", check=False)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn("no worker answers", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
