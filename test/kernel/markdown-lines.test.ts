import { expect, test } from 'vitest';
import { headingOf, markdownLines } from '#kernel/markdown-lines.js';

const shapeOf = (text: string) => markdownLines(text).map(({ kind, text }) => `${kind} ${text}`);

test('fences and comments are told from text, whatever the line endings', () => {
  expect(shapeOf('\ufeffa\r\n```js\r# b\n~~~\n````  \r\nc')).toEqual([
    'text a',
    'code ```js',
    'code # b',
    'code ~~~',
    'code ````  ',
    'text c',
  ]);
  expect(shapeOf('<!-- a\nb --> c\nd <!-- e --> f <!-- g')).toEqual([
    'comment <!-- a',
    'comment b --> c',
    'text d            f <!-- g',
  ]);
  expect(shapeOf('``` a`b\n    ```\n~~~ a`b\n# c')).toEqual([
    'text ``` a`b',
    'text     ```',
    'code ~~~ a`b',
    'code # c',
  ]);
});

test('a line says where it is, so that the text can be put together again', () => {
  const text = '\ufeff# a\r\nb\r\rc\n';
  const lines = markdownLines(text);
  expect(lines.map(({ start, end }) => text.slice(start, end))).toEqual(['# a', 'b', '', 'c']);
  expect(text.slice(0, 1) + lines.map(({ start, next }) => text.slice(start, next)).join('')).toBe(text);
});

test('a heading has a rank and a title without its closing marks', () => {
  const headings = markdownLines('# a\n ## b ##\n###\n#c\n####### d\n## e#\n    ## f').map(headingOf);
  expect(headings).toEqual([
    { level: 1, title: 'a' },
    { level: 2, title: 'b' },
    { level: 3, title: '' },
    undefined,
    undefined,
    { level: 2, title: 'e#' },
    undefined,
  ]);
});
