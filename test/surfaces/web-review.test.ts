import fc from 'fast-check';
import { expect } from 'vitest';
import { isGenerated, onlyPart, patchParts } from '../../web/app/pages/review/patch.js';
import { isTooLong, type LineComment, reasonOf } from '../../web/app/pages/review/reason.js';
import { verifies } from '../verifies.js';

const PATCH = ` src/a.ts | 2 +-
 2 files changed

diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
-old
+new
 diff --git a/no b/no
diff --git a/old name.ts b/new name.ts
similarity index 100%
rename from old name.ts
rename to new name.ts
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/p.png b/p.png
index 3..4 100644
Binary files a/p.png and b/p.png differ
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/ta\\tb" "b/ta\\tb"
new file mode 100644
--- /dev/null
+++ "b/ta\\tb"
@@ -0,0 +1 @@
+x
`;

verifies(
  'web.review',
  'a patch is taken apart by file: renamed, removed, binary, with blanks and tabs in its name',
  () => {
    const parts = [...patchParts(PATCH, false).values()].map(({ path, note, isBinary, lines }) => ({
      ...{ path, note, isBinary, lines },
    }));
    expect(parts).toEqual([
      { path: 'src/a.ts', note: undefined, isBinary: false, lines: 4 },
      { path: 'new name.ts', note: 'renamed from old name.ts', isBinary: false, lines: 0 },
      { path: 'run.sh', note: 'executable now', isBinary: false, lines: 0 },
      { path: 'p.png', note: undefined, isBinary: true, lines: 0 },
      { path: 'gone', note: 'removed', isBinary: false, lines: 2 },
      { path: 'ta\tb', note: 'new', isBinary: false, lines: 3 },
    ]);
    expect([...patchParts(PATCH, true).keys()]).not.toContain('ta\tb'); // the last of a patch that was cut is incomplete
    expect(onlyPart(PATCH)?.path).toBe('src/a.ts');
    expect(onlyPart('')).toBeUndefined();
  },
);

verifies('web.review.text', 'characters that change how a line reads are made visible, in any patch', () => {
  const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+if (admin\u202e) {\r\n`;
  expect(onlyPart(text)?.text).toContain('+if (admin\\u{202e}) {␍');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (patch) => {
      for (const part of patchParts(patch, false).values())
        expect(part.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

verifies('web.review.comments', 'a rejection is one text: the words, then each comment with its place and line', () => {
  const at = (file: string, line: number, more: Partial<LineComment> = {}): LineComment => ({
    ...{ file, line, side: 'new' as const, quote: `  line ${line};`, text: `About ${line}.\n` },
    ...more,
  });
  expect(reasonOf(' Nearly. ', [at('b.ts', 3), at('a.ts', 12, { side: 'old', quote: '' }), at('a.ts', 2)])).toBe(
    'Nearly.\n\na.ts:2\n> line 2;\nAbout 2.\n\na.ts:12 (removed)\nAbout 12.\n\nb.ts:3\n> line 3;\nAbout 3.',
  );
  expect(reasonOf('', [])).toBe('');
  expect([isTooLong('é'.repeat(4_096)), isTooLong('é'.repeat(4_097))]).toEqual([false, true]);
});

verifies('web.review.large', 'what programs write is known by its name', () => {
  const names = ['package-lock.json', 'web/yarn.lock', 'dist/a.js', 'a.min.css', 'x/__snapshots__/y.snap', 'go.sum'];
  expect(names.filter((name) => !isGenerated(name))).toEqual([]);
  expect(['src/distance.ts', 'lock.ts', 'package.json'].filter((name) => isGenerated(name))).toEqual([]);
});
