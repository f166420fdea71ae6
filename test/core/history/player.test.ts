import { expect, test } from 'vitest';
import { advance, keysIn, type Player, pauseAfter, press, startPlayer } from '#core/history/replay-player.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const play = (player: Player, sent: string): Player => keysIn(sent).reduce(press, player);

verifies('graph.trace.animate', 'space pauses, arrows step, plus and minus change the speed, q ends', () => {
  let player = startPlayer(4, 10);
  expect(player).toEqual({ at: 0, count: 4, playing: true, speed: 10, ended: false });
  player = advance(player);
  expect(player.at).toBe(1);
  player = play(player, ' ');
  expect(player.playing).toBe(false);
  expect(advance(player).at).toBe(1);
  player = play(player, '\u001b[C\u001b[C\u001b[C');
  expect(player).toMatchObject({ at: 3, playing: false });
  player = play(player, '\u001b[D');
  expect(player.at).toBe(2);
  player = play(player, '+');
  expect(player.speed).toBe(20);
  player = play(player, '---');
  expect(player.speed).toBe(2.5);
  player = advance(play(player, ' '));
  expect(player).toMatchObject({ at: 3, playing: false }); // the last frame stays
  expect(play(player, ' ')).toMatchObject({ at: 0, playing: true }); // and from there it begins again
  expect(play(player, 'q').ended).toBe(true);
  expect(play(player, '\u0003').ended).toBe(true);
});

test('keys that arrive together count each; unknown ones count for nothing', () => {
  expect(keysIn('\u001bOC\u001b[D +xq')).toEqual(['forward', 'back', 'pause', 'faster', 'quit']);
  expect(keysIn('')).toEqual([]);
  expect(keysIn('\u001b[15~\u001b[A😀hasOwnProperty')).toEqual([]);
});

test('one frame stands still, and speed stays within its bounds', () => {
  expect(startPlayer(1, 10).playing).toBe(false);
  expect(play(startPlayer(1, 10), ' \u001b[C\u001b[D').at).toBe(0);
  expect(play(startPlayer(2, 10), '+'.repeat(50)).speed).toBe(TEAM_LIMITS.traceSpeedMost);
  expect(play(startPlayer(2, 10), '-'.repeat(50)).speed).toBe(TEAM_LIMITS.traceSpeedLeast);
});

test('a pause follows the clock of then, divided by the speed, and nobody waits for a night', () => {
  const times = [
    '2026-03-21T10:00:00Z',
    '2026-03-21T10:00:20Z',
    '2026-03-21T22:00:00Z',
    '2026-03-21T22:00:00Z',
    'never',
  ];
  const after = (at: number) => pauseAfter({ ...startPlayer(5, 10), at }, times);
  expect([0, 1, 2, 3, 4].map(after)).toEqual([2_000, 3_000, 100, 100, 100]);
  expect(pauseAfter({ ...startPlayer(5, 1_000), at: 2 }, times)).toBe(TEAM_LIMITS.traceFrameLeastMs);
});
