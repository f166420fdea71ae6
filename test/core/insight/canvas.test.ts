import { expect, test } from 'vitest';
import { Canvas } from '#core/insight/canvas.js';
import { glyphsFor } from '#core/insight/glyphs.js';

type Draw = (canvas: Canvas) => void;

function drawn(...steps: Draw[]): { lines: string[]; clashes: number[] } {
  const canvas = new Canvas(glyphsFor(true));
  for (const step of steps) step(canvas);
  const lines = canvas.lines().map((line) => line.map(({ text }) => text).join(''));
  return { lines, clashes: [...canvas.clashes] };
}
const upright =
  (net: number, x: number, from: number, to: number): Draw =>
  (canvas) =>
    canvas.upright(net, x, from, to, 'line');
const level =
  (net: number, y: number, from: number, to: number): Draw =>
  (canvas) =>
    canvas.level(net, y, from, to, 'line');

test('lines of one net join where they meet', () => {
  expect(drawn(upright(0, 1, 0, 2), level(0, 1, 0, 2))).toEqual({ lines: [' ╷', '╶┼╴', ' ╵'], clashes: [] });
  expect(drawn(level(0, 0, 2, 0), upright(0, 0, 1, 0))).toEqual({ lines: ['╭─╴', '╵'], clashes: [] });
});

test('lines of two nets cross, in either order, and the vertical one is drawn through', () => {
  expect(drawn(upright(0, 1, 0, 2), level(1, 1, 0, 2))).toEqual({ lines: [' ╷', '╶│╴', ' ╵'], clashes: [] });
  expect(drawn(level(1, 1, 0, 2), upright(0, 1, 0, 2))).toEqual({ lines: [' ╷', '╶│╴', ' ╵'], clashes: [] });
});

test('lines of two nets that share a stretch or touch at an end clash', () => {
  expect(drawn(upright(0, 0, 0, 1), upright(1, 0, 1, 2)).clashes).toEqual([1]);
  expect(drawn(level(3, 0, 0, 1), level(2, 0, 1, 2)).clashes).toEqual([2]);
  expect(drawn(upright(0, 1, 0, 2), level(1, 1, 1, 2)).clashes).toEqual([1]);
  expect(drawn(upright(0, 1, 1, 2), level(1, 1, 0, 2)).clashes).toEqual([1]);
});

test('text ends the lines that reach it, and a wide letter covers two cells', () => {
  const text: Draw = (canvas) => canvas.write(1, 0, [{ text: '表' }, { text: 'x', tone: 'note' }]);
  expect(drawn(text, level(0, 0, 0, 5))).toEqual({ lines: ['╶表x─╴'], clashes: [] });
  expect(drawn(level(0, 0, 0, 5), text)).toEqual({ lines: ['╶表x─╴'], clashes: [] });
});

test('neighbouring cells of one tone are one part of a line', () => {
  const canvas = new Canvas(glyphsFor(false));
  canvas.write(2, 1, [{ text: 'ab' }, { text: 'cd', tone: 'note' }]);
  canvas.level(0, 1, 6, 8, 'return');
  expect(canvas.lines()).toEqual([
    [],
    [{ text: '  ab' }, { text: 'cd', tone: 'note' }, { text: '---', tone: 'return' }],
  ]);
});

test('where two lines of a net lie over one another, the tone of the vertical one stays', () => {
  const canvas = new Canvas(glyphsFor(true));
  canvas.upright(0, 0, 0, 1, 'return');
  canvas.level(0, 0, 0, 1, 'line');
  expect(canvas.lines()[0]).toEqual([
    { text: '╭', tone: 'return' },
    { text: '╴', tone: 'line' },
  ]);
});
