import type { Table, Tool } from "../tool.ts"

const jsValues =
  "-c --config --root --dir --reporter --reporters --outputFile --environment --pool --maxWorkers --minWorkers -w --testTimeout --seed --coverageDirectory --coverageReporters --retry --retries -j --jobs --workers --timeout --require -r --import --loader --extension --ui --shard --setupFilesAfterEnv --project -p --browser"

const jsNarrow =
  "-t --testNamePattern -g --grep --testPathPattern --testPathPatterns -f --fgrep -m --match --project -p --shard --changed --related --findRelatedTests -o --onlyChanged --onlyFailures --last-failed --last-run --spec -s --test-name-pattern --exclude --onlyTypeTests --changedSince -i --dir"

const jsTest: Tool = {
  is: "test",
  values: jsValues,
  narrow: jsNarrow,
  whole: ". ./ test tests spec src",
  dry: "--listTests --list-files --list --showConfig"
}

const pytest: Tool = {
  is: "test",
  values:
    "-c --config-file --rootdir -n --numprocesses --dist -p -o --override-ini --tb --maxfail --durations --timeout --cov --cov-report --cov-config --junitxml --junit-xml --log-level --log-cli-level --color -W --basetemp --import-mode --ds --settings -r --capture --asyncio-mode --reruns",
  narrow:
    "-k -m --lf --last-failed --ff --sw --stepwise --deselect --ignore --ignore-glob --nf --testmon --picked --pyargs",
  whole: ". ./ tests tests/ test test/ ./tests ./tests/ ./test src src/ testing testing/",
  dry: "--collect-only --co --fixtures --markers --setup-plan --fixtures-per-test"
}

const railsTest: Tool = { is: "test", values: "-e -n -s --seed -v", narrow: "-n --name -i", whole: "test spec" }

/** Test runners and the like of interpreted languages, and of infrastructure. */
export const testTools: Table = {
  "vitest|vite-plus": {
    ...jsTest,
    runner: "vitest",
    subs: {
      "run|watch|dev": { ...jsTest, runner: "vitest" },
      "related|bench": { ...jsTest, runner: "vitest", narrow: `${jsNarrow} --run` },
      typecheck: "typecheck",
      list: { is: "test", lists: true, runner: "vitest" }
    }
  },
  jest: { ...jsTest, dry: `${jsTest.dry ?? ""} --clearCache --init` },
  "mocha|ava|tap|jasmine|uvu|tape|lab|qunit|karma|wtr|web-test-runner|borp|testem|vscode-test|japa|poku": jsTest,
  "react-scripts|craco|vue-cli-service|redwood|rw|aegir|tsdx|ember": {
    subs: {
      "test|test:unit|test:e2e": { ...jsTest, runner: "jest" },
      build: "build",
      lint: "lint",
      "start|serve": "process"
    }
  },
  playwright: {
    subs: {
      test: { ...jsTest, runner: "playwright", whole: ". ./ tests e2e" },
      "install|install-deps": "install"
    }
  },
  cypress: { subs: { run: { ...jsTest, runner: "cypress" }, install: "install", open: "process" } },
  "test-storybook|backstop|nightwatch|wdio|detox|testcafe|newman|artillery|k6|maestro|stryker|codecept|cucumber-js|cucumber|percy":
    {
      ...jsTest,
      whole: "*"
    },
  "ng|nest": {
    subs: {
      "test|t": { is: "test", values: "--configuration -c", narrow: "--include", whole: "*", runner: "ng test" },
      "e2e|e": "test",
      "build|b": { is: "build", also: "typecheck" },
      lint: "lint",
      "serve|s|start": "process"
    }
  },
  "pytest|py.test|pytest-3": { ...pytest, runner: "pytest" },
  "unittest|trial|nose2|nosetests|stestr|testr|zope-testrunner|green|ward": {
    is: "test",
    values: "-s --start-directory -p --pattern -t --top-level-directory -k -c",
    narrow: "-k",
    whole: "discover . tests test",
    runner: "unittest"
  },
  tox: {
    is: "test",
    values: "-e -c --conf --workdir -p --parallel -f",
    sessions: "-e --env",
    dry: "-l --listenvs -a config list",
    whole: "*"
  },
  nox: {
    is: "test",
    values: "-s -e --session --sessions -f -p -k -t",
    sessions: "-s -e --session --sessions",
    dry: "-l --list",
    whole: "*"
  },
  "behave|robot|pabot|doctest|hypothesis|locust|mutmut|schemathesis": { is: "test", whole: "*" },
  "manage.py|django-admin|django": {
    subs: {
      test: {
        is: "test",
        runner: "django",
        values: "--settings -v --verbosity --parallel -k --tag --exclude-tag --pythonpath",
        narrow: "-k --tag --exclude-tag -p --pattern"
      },
      check: "lint",
      "makemigrations|startapp|collectstatic": { is: "write", dry: "--dry-run --check" },
      "runserver|shell": "process"
    }
  },
  rspec: {
    is: "test",
    values: "-f --format -o --out -r --require --seed --order -O -I -P --pattern",
    narrow: "-e --example -t --tag -E --only-failures --next-failure -P --pattern",
    whole: "spec spec/ .",
    dry: "--dry-run"
  },
  "minitest|m|testrb|parallel_test|parallel_rspec|turbo_tests|cutest": { ...railsTest, whole: "test spec test/ spec/" },
  rails: {
    subs: {
      "test|test:all|test:system|spec": { ...railsTest, runner: "rails test" },
      "assets:precompile|zeitwerk:check": "build",
      "server|s|console|c": "process",
      "generate|g|destroy": "write"
    }
  },
  "phpunit|pest|paratest|phpspec|behat": {
    is: "test",
    values:
      "-c --configuration --testsuite --bootstrap --filter --group --exclude-group --log-junit --coverage-html -d",
    narrow: "--filter --group --exclude-group --testsuite",
    whole: "tests tests/",
    dry: "--list-tests --list-suites --list-groups"
  },
  artisan: {
    subs: { test: { is: "test", runner: "phpunit", narrow: "--filter --group --testsuite" }, serve: "process" }
  },
  mix: {
    subs: {
      "test|coveralls": {
        is: "test",
        also: "build",
        runner: "mix test",
        values: "--seed --max-failures --only --exclude --include --timeout --formatter --partitions",
        narrow: "--only --include --stale --failed --exclude --partitions"
      },
      "compile|release|assets.build|assets.deploy": "build",
      "credo|sobelow|xref": "lint",
      dialyzer: "typecheck",
      format: { is: "format", flags: { "--check-formatted": "lint format" } },
      "deps.get|deps.update|deps.compile|setup": "install",
      "phx.server|run": "process"
    }
  },
  "terraform|tofu|terragrunt": {
    values: "-chdir",
    subs: {
      test: "test",
      validate: "lint",
      fmt: "format",
      init: "install",
      plan: "other",
      "apply|destroy": "deploy"
    }
  },
  "helm|kustomize|kubeconform|kubeval": {
    subs: {
      "lint|template|kubeconform": "lint",
      "install|upgrade|rollback|uninstall": { is: "deploy", dry: "--dry-run" },
      test: "test"
    }
  },
  "bats|shunit2|shellspec|busted|vusted|prove|molecule|kitchen|goss|conftest|opa": {
    is: "test",
    values: "-j --jobs -f --filter -F --formatter",
    dry: "--count --list",
    narrow: "-f --filter --filter-tags",
    whole: "test tests test/ tests/ t t/ spec spec/"
  }
}
