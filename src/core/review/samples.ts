/** Paths of tests and their data. */
const TESTS =
  /(^|\/)(([\w.-]+[._-])?tests?|\w+tests|testsuite|__\w+__|spec|specs|e2e|cypress|regress(ion)?|[._-]?fixtures?|testdata|test-data|testing|mocks?|stubs?|benches|benchmarks?)\/|([._-](test|tests|spec|e2e|stories)\.[a-z]+|(^|\/)(test_[^/]+|conftest)\.py|Tests?\.(java|kt|cs|swift|php)|_test\.(go|exs|rb|py)|(^|\/)tests?\.\w+)$/i;
/** Paths of examples and documentation. */
const SHOWN =
  /(^|\/)(examples?|samples?|demos?|playground|docs?|docs_src|documentation|website|stories|templates|snippets)\/|(^|[/._-])(examples?|samples?|template|test)([._-][^/]*)?$|\.(md|mdx|markdown|rst|adoc|txt|html?([.-]\w+)?)$/i;

/** Whether a file is a test or test data. */
export function isTest(file: string): boolean {
  return TESTS.test(file);
}

/** Paths of test input, in which notes such as TODO are not addressed to the developers. */
const FED =
  /(^|\/)(fixtures?|conf|testdata|test-data|__\w+__|snapshots?|samples?|corpus|goldens?|highlighted|source|data|cases|syntax-tests|[\w-]+-src)\//i;

/** Whether a file is test data, but not a test itself. */
export function isTestData(file: string): boolean {
  return TESTS.test(file) && FED.test(file);
}

/** Whether a file is a test, an example or a document, or belongs to one. */
export function isSample(file: string): boolean {
  return TESTS.test(file) || SHOWN.test(file);
}

/** Folders of third-party code copied into the repository. */
const VENDORED =
  /(^|\/)(_?vendor(ed)?|third[-_]?party|3rd[-_]?party|compat|node_modules|bower_components|site-packages|Pods|Carthage|\.yarn)\//i;
/** Libraries that are commonly copied as one file or folder, to any path. */
const COPIED_LIBRARY =
  /(^|\/)tests?\/([\w-]+\/)*(gtest|gmock|googletest|googlemock|catch2|doctest)\/|\/(docopt\.py|six\.py|doctest\.h|catch(_amalgamated)?\.hpp|sqlite3(ext)?\.[ch]|xxhash\.[ch]|stb_\w+\.h|miniz\.[ch]|jquery[\w.-]*\.js)$/i;
const LOCKFILE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|composer\.lock|Gemfile\.lock)$/;

/** Whether a path is of a lockfile, a bundle or a third-party copy: these change often without being written here. */
export function isGeneratedPath(file: string): boolean {
  return (
    LOCKFILE.test(file) ||
    /\.(min\.(js|css)|map|snap|svg|lock)$/.test(file) ||
    /(^|\/)(dist|generated|__snapshots__)\//.test(file) ||
    VENDORED.test(file) ||
    COPIED_LIBRARY.test(file)
  );
}

/** Characters at the start of a file that are searched for the notice of a generator. */
const HEADER_CHARACTERS = 1_000;

/** Whether the first lines of a file state that a program generated it: flex, bison, protoc and others. */
export function isGeneratedText(text: string): boolean {
  return /^\W*(line \d+ "|.*(@generated\b|\bdo not edit\b|\bmade by GNU Bison\b)|((this|the following) (file|code) (is|was|has been) )?(code )?(auto(matically )?|auto-)?generated (by|from|with)\b)/im.test(
    text.slice(0, HEADER_CHARACTERS),
  );
}
