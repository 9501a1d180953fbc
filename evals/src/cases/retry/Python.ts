import type { RetryTask } from "../../retry/RetryTask.ts"

const text = `def slug(title):
    return title.lower().replace(" ", "-")


def words(title):
    print("splitting", title)
    return title.split(" ")
`

/** Python's runners of tests, and programs that die. */
export const python: ReadonlyArray<RetryTask> = [
  {
    id: "pytest-equal",
    why: "A plain assertion of an equality; pytest shows both sides and the line.",
    runner: "pytest",
    failureType: "test_failure",
    files: {
      "text.py": text,
      "test_text.py": `from text import slug


def test_spaces_become_dashes():
    assert slug("Green tea") == "green-tea"


def test_punctuation_is_dropped():
    made = slug("Tea, green")
    assert made == "tea-green"
`
    },
    command: "python3 -m pytest -p no:cacheprovider",
    repeats: true,
    failures: [
      {
        test: "test_punctuation_is_dropped",
        places: ["test_text.py:10", "test_text.py:8"],
        expected: "tea-green",
        received: "tea,-green"
      }
    ]
  },
  {
    id: "pytest-parameters",
    why: "One of five parameter sets fails, and what the code printed is shown below the failure.",
    runner: "pytest, parametrized, with captured output",
    failureType: "test_failure",
    files: {
      "text.py": text,
      "test_words.py": `import pytest

from text import words


@pytest.mark.parametrize(
    "title,count",
    [("tea", 1), ("green tea", 2), ("very green tea", 3), ("green  tea", 2), ("a b c d", 4)],
)
def test_counts_words(title, count):
    found = words(title)
    assert len(found) == count
`
    },
    command: "python3 -m pytest -p no:cacheprovider",
    repeats: true,
    failures: [
      {
        test: "test_counts_words[green  tea-2]",
        places: ["test_words.py:12", "test_words.py:10"],
        expected: "2",
        received: "3"
      }
    ]
  },
  {
    id: "pytest-exception",
    why: "The code under test throws two calls below the test: the place that throws is what there is to look at.",
    runner: "pytest, an exception in the code",
    failureType: "test_failure",
    files: {
      "ledger.py": `def _amount(row):
    return int(row["amount"])


def balance(rows):
    return sum(_amount(row) for row in rows)
`,
      "test_ledger.py": `from ledger import balance


def test_empty_amounts_count_as_nothing():
    assert balance([{"amount": "12"}, {"amount": ""}]) == 12
`
    },
    command: "python3 -m pytest -p no:cacheprovider",
    second: {
      "ledger.py": `def _amount(row):
    return int(row["amount"] or "nothing")


def balance(rows):
    return sum(_amount(row) for row in rows)
`
    },
    repeats: false,
    failures: [
      {
        test: "test_empty_amounts_count_as_nothing",
        places: ["ledger.py:2", "test_ledger.py:5"],
        message: "invalid literal for int() with base 10: ''"
      }
    ]
  },
  {
    id: "pytest-fixture",
    why: "The fixture fails, so that the test never begins: pytest calls it an error, not a failure.",
    runner: "pytest, a fixture",
    failureType: "test_failure",
    files: {
      "test_store.py": `import pytest


@pytest.fixture
def store(tmp_path):
    with open(tmp_path / "seed.csv") as file:
        return file.read()


def test_store_is_empty(store):
    assert store == ""
`
    },
    command: "python3 -m pytest -p no:cacheprovider",
    repeats: true,
    failures: [{ test: "test_store_is_empty", places: ["test_store.py:6"], message: "No such file or directory" }]
  },
  {
    id: "pytest-collection",
    why: "The test's module imports a name that is not there: nothing was collected.",
    runner: "pytest, a module that cannot be loaded",
    failureType: "test_failure",
    files: {
      "text.py": text,
      "test_title.py": `from text import title_case


def test_title_case():
    assert title_case("green tea") == "Green Tea"
`
    },
    command: "python3 -m pytest -p no:cacheprovider",
    repeats: true,
    failures: [{ places: ["test_title.py:1"], message: "cannot import name 'title_case' from 'text'" }]
  },
  {
    id: "pytest-quiet-many",
    why: "Six tests fail and only the summary's lines are short; to be told of one of them is enough.",
    runner: "pytest -q, six failures",
    failureType: "test_failure",
    files: {
      "test_roman.py": `def roman(n):
    return "I" * n


def check(n, text):
    assert roman(n) == text


${[
  [4, "IV"],
  [5, "V"],
  [6, "VI"],
  [9, "IX"],
  [10, "X"],
  [11, "XI"]
]
  .map(([n, numeral]) => `def test_writes_${n}():\n    check(${n}, "${numeral}")\n`)
  .join("\n\n")}`
    },
    command: "python3 -m pytest -q -p no:cacheprovider",
    repeats: true,
    failures: [
      [4, "IV", 9],
      [5, "V", 13],
      [6, "VI", 17],
      [9, "IX", 21],
      [10, "X", 25],
      [11, "XI", 29]
    ].map(([n, expected, line]) => ({
      test: `test_writes_${n}`,
      places: ["test_roman.py:6", `test_roman.py:${line}`, `test_roman.py:${Number(line) + 1}`],
      expected: String(expected),
      received: "I".repeat(Number(n))
    }))
  },
  {
    id: "unittest-lists",
    why: "Two lists differ in their second element; unittest shows both and the difference.",
    runner: "unittest",
    failureType: "test_failure",
    files: {
      "queue_order.py": `def order(jobs):
    return sorted(jobs)
`,
      "test_queue.py": `import unittest

from queue_order import order


class QueueTest(unittest.TestCase):
    def test_urgent_jobs_come_first(self):
        made = order(["b", "urgent:c", "a"])
        self.assertEqual(made, ["urgent:c", "a", "b"])


if __name__ == "__main__":
    unittest.main()
`
    },
    command: "python3 -m unittest",
    repeats: true,
    failures: [
      {
        test: "test_urgent_jobs_come_first",
        places: ["test_queue.py:9", "test_queue.py:7"],
        expected: "['urgent:c', 'a', 'b']",
        received: "['a', 'b', 'urgent:c']"
      }
    ]
  },
  {
    id: "unittest-subtest",
    why: "One of three subtests fails: which one is what there is to know beside the values.",
    runner: "unittest, a subtest",
    failureType: "test_failure",
    files: {
      "test_sizes.py": `import unittest


def readable(size):
    return f"{size // 1024} KB"


class SizeTest(unittest.TestCase):
    def test_readable(self):
        for size, text in [(1024, "1 KB"), (512, "512 B"), (4096, "4 KB")]:
            with self.subTest(size=size):
                self.assertEqual(readable(size), text)
`
    },
    command: "python3 -m unittest -v",
    repeats: true,
    failures: [
      { test: "test_readable", places: ["test_sizes.py:12", "test_sizes.py:9"], expected: "512 B", received: "0 KB" }
    ]
  },
  {
    id: "doctest-example",
    why: "An example in a docstring gives something else than it shows; the place is that of the example.",
    runner: "doctest",
    failureType: "test_failure",
    files: {
      "mean.py": `def mean(values):
    """The mean of some numbers.

    >>> mean([1, 2, 3])
    2.0
    >>> mean([])
    0.0
    """
    return sum(values) / max(1, len(values)) if values else None
`
    },
    command: "python3 -m doctest mean.py",
    repeats: true,
    failures: [{ test: "mean", places: ["mean.py:6"], expected: "0.0" }]
  },
  {
    id: "python-chained",
    why: "The error that ends the program was raised while another was handled; both name a place of ours.",
    runner: "Python, a chain of exceptions",
    failureType: "runtime_error",
    files: {
      "settings.py": `import json


def load(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SystemError("settings are no JSON") from error


load("{port: 8080}")
`
    },
    command: "python3 settings.py",
    repeats: true,
    failures: [{ places: ["settings.py:8", "settings.py:11"], message: "settings are no JSON" }]
  },
  {
    id: "make-pytest",
    why: "make runs the linter and the tests; its own complaint about the exit code is the last line.",
    runner: "make over pytest",
    failureType: "test_failure",
    files: {
      Makefile: `test:
	@echo "checking the style"
	@python3 -m compileall -q .
	python3 -m pytest -q -p no:cacheprovider
	@echo "done"
`,
      "text.py": text,
      "test_text.py": `from text import slug


def test_punctuation_is_dropped():
    made = slug("Tea, green")
    assert made == "tea-green"
`
    },
    command: "make test",
    repeats: true,
    failures: [
      {
        test: "test_punctuation_is_dropped",
        places: ["test_text.py:6", "test_text.py:4"],
        expected: "tea-green",
        received: "tea,-green"
      }
    ]
  }
]
