import { spawn } from 'node:child_process';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Notice, Notifier, Receipt } from '#ports/notify.js';
import { failure } from './failure.js';

/** Variables that the program needs to find the person's screen; it gets no others. */
const PASSED = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'DISPLAY', 'WAYLAND_DISPLAY'].concat([
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
]);

/** Programs of a platform, with the arguments before subject and text. */
const PROGRAMS = {
  darwin: {
    name: 'osascript',
    before: [
      ...['-e', 'on run argv', '-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
      ...['-e', 'end run', '--'],
    ],
  },
  other: { name: 'notify-send', before: ['--app-name=Troupe', '--'] },
} as const;

/** The desktop of the person at this machine. Texts are arguments of the program, never part of a script. */
export class Desktop implements Notifier {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly program: (typeof PROGRAMS)[keyof typeof PROGRAMS];
  private readonly timeMs: number;

  constructor(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform, timeMs: number = TEAM_LIMITS.notifyMs) {
    this.environment = Object.fromEntries(
      PASSED.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
    );
    this.program = platform === 'darwin' ? PROGRAMS.darwin : PROGRAMS.other;
    this.timeMs = timeMs;
  }

  send({ id, subject, text }: Notice, signal: AbortSignal): Promise<Receipt> {
    const { name, before } = this.program;
    const what = `${name} could not show it.`;
    return new Promise((resolve, reject) => {
      const args = [...before, withoutMarkup(inert(subject)), withoutMarkup(inert(text, true))];
      const options = { cwd: '/', env: this.environment, timeout: this.timeMs, signal, killSignal: 'SIGKILL' } as const;
      const child = spawn(name, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      let message = '';
      child.stderr.setEncoding('utf8').on('data', (more: string) => {
        message = cut(message + more, NOTICE_LIMITS.desktopCharacters);
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        const missing = error.code === 'ENOENT';
        reject(failure(what, missing ? `${name} is not installed` : error.message, undefined));
      });
      child.once('close', (code) => {
        if (code === 0) resolve({ channel: 'desktop', reference: id });
        else
          reject(
            failure(what, code === null ? 'no answer in time' : message.trim() || `it exited with ${code}`, undefined),
          );
      });
    });
  }
}

/** Some desktops interpret tags and entities, and notify-send backslashes; similar characters mean nothing there. */
function withoutMarkup(text: string): string {
  const similar: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆', '\\': '＼' };
  return cut(text, NOTICE_LIMITS.desktopCharacters).replace(/[<>&\\]/g, (character) => similar[character] ?? '');
}
