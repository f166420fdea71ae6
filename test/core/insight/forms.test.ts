import path from 'node:path';
import { expect, test } from 'vitest';
import { glyphsFor } from '#core/insight/glyphs.js';
import { scenarioSchema } from '#core/insight/scenario.js';
import { formOf } from '../../schema-form.js';

test('what the file of a scenario may hold, with every bound', async () => {
  await expect(`${formOf(scenarioSchema, 'input')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/forms.txt'),
  );
});

test('each line character has a counterpart in ASCII, box corners among them', () => {
  const [unicode, ascii] = [glyphsFor(true), glyphsFor(false)];
  expect(unicode.arms).toEqual([...' ╵╶╰╷│╭├╴╯─┴╮┤┬┼']);
  expect(ascii.arms).toEqual([...' |-+||++-+-+++++']);
  expect([unicode, ascii].flatMap(({ box, strongBox }) => [box.corners.join(''), strongBox.corners.join('')])).toEqual([
    '┌┐└┘',
    '┏┓┗┛',
    '++++',
    '####',
  ]);
});
