/** Places of tests and of what they are fed with. */
const TESTS =
  /(^|\/)(([\w.-]+[._-])?tests?|\w+tests|testsuite|__\w+__|spec|specs|e2e|cypress|[._-]?fixtures?|testdata|test-data|testing|mocks?|stubs?|benches|benchmarks?)\/|([._-](test|tests|spec|e2e|stories)\.[a-z]+|(^|\/)(test_[^/]+|conftest)\.py|Tests?\.(java|kt|cs|swift|php)|_test\.(go|exs|rb|py))$/i;
/** Places of what is made up to be shown. */
const SHOWN =
  /(^|\/)(examples?|samples?|demos?|playground|docs?|docs_src|documentation|website|stories)\/|\.(md|mdx|markdown|rst|adoc|txt)$/i;

/** Whether a file is a test, or data of one. */
export function isTest(file: string): boolean {
  return TESTS.test(file);
}

/** Parts of tests that are fed to what is tested: nobody left a note there for themselves. */
const FED =
  /(^|\/)(fixtures?|testdata|test-data|__\w+__|snapshots?|samples?|corpus|goldens?|highlighted|source|data|cases|syntax-tests|[\w-]+-src)\//i;

/** Whether a file is data of a test, and no test itself. */
export function isTestData(file: string): boolean {
  return TESTS.test(file) && FED.test(file);
}

/** Whether a file is a test, an example or a document, or data of one. */
export function isSample(file: string): boolean {
  return TESTS.test(file) || SHOWN.test(file);
}
