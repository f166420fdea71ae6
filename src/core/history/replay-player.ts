import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** State of an animation; immutable, each key press and timer step creates the next one. */
export interface Player {
  /** Index of the displayed frame, from 0. */
  readonly at: number;
  readonly count: number;
  readonly playing: boolean;
  /** Playback speed relative to real time. */
  readonly speed: number;
  readonly ended: boolean;
}

export type PlayerKey = 'pause' | 'back' | 'forward' | 'first' | 'last' | 'faster' | 'slower' | 'quit';

const KEYS: ReadonlyMap<string, PlayerKey> = new Map([
  [' ', 'pause'],
  ['\u001b[D', 'back'],
  ['\u001bOD', 'back'],
  ['\u001b[C', 'forward'],
  ['\u001bOC', 'forward'],
  ['\u001b[H', 'first'],
  ['\u001b[F', 'last'],
  ['+', 'faster'],
  ['=', 'faster'],
  ['-', 'slower'],
  ['q', 'quit'],
  ['Q', 'quit'],
  ['\u0003', 'quit'],
]);
/** A terminal key: an escape sequence, or one character. */
const ONE_KEY = /\u001b(?:[[O][0-9;]*[A-Za-z~])?|[\s\S]/gu;

/** Returns the keys in terminal input; several may arrive at once, unknown ones are ignored. */
export function keysIn(input: string): PlayerKey[] {
  return (input.match(ONE_KEY) ?? []).flatMap((key) => KEYS.get(key) ?? []);
}

export function startPlayer(count: number, speed: number): Player {
  return { at: 0, count, playing: count > 1, speed: within(speed), ended: false };
}

export function press(player: Player, key: PlayerKey): Player {
  switch (key) {
    case 'pause':
      if (player.playing) return { ...player, playing: false };
      // At the end, playback restarts from the beginning.
      return player.at === player.count - 1
        ? { ...player, at: 0, playing: player.count > 1 }
        : { ...player, playing: true };
    case 'back':
      return { ...player, at: Math.max(0, player.at - 1), playing: false };
    case 'forward':
      return { ...player, at: Math.min(player.count - 1, player.at + 1), playing: false };
    case 'first':
      return { ...player, at: 0, playing: false };
    case 'last':
      return { ...player, at: player.count - 1, playing: false };
    case 'faster':
      return { ...player, speed: within(player.speed * 2) };
    case 'slower':
      return { ...player, speed: within(player.speed / 2) };
    case 'quit':
      return { ...player, playing: false, ended: true };
  }
}

/** Advances to the next frame after its time has passed. The last frame stays. */
export function advance(player: Player): Player {
  if (!player.playing) return player;
  const at = Math.min(player.count - 1, player.at + 1);
  return { ...player, at, playing: at < player.count - 1 };
}

/**
 * Display time of a frame, in milliseconds. The real pause is clamped to between a second and half a minute, which
 * keeps simultaneous events visible and shortens idle nights; then the speed divides it.
 */
export function pauseAfter(player: Player, times: readonly string[]): number {
  const real = Date.parse(times[player.at + 1] ?? '') - Date.parse(times[player.at] ?? '');
  const pause = Math.min(30_000, Math.max(1_000, Number.isFinite(real) ? real : 0));
  return Math.max(TEAM_LIMITS.traceFrameLeastMs, pause / player.speed);
}

function within(speed: number): number {
  return Math.min(TEAM_LIMITS.traceSpeedMost, Math.max(TEAM_LIMITS.traceSpeedLeast, speed));
}
