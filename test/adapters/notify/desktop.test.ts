import { expect } from 'vitest';
import { Desktop } from '#adapters/notify/desktop.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { desktopProgram } from './desktop-program.js';
import { LASTING } from './lasting.js';

const NOTICE = { to: '', subject: '--help $(touch x)', text: '<b>a</b> & \\033 `id`\nb', id: 'abc-1' };

verifies(
  ['notify.desktop', 'notify.inert'],
  'texts are arguments, never options, script or markup; the program gets no secret of the environment',
  async () => {
    const program = desktopProgram();
    program.behave('accepts');
    const environment = { PATH: program.path, DISPLAY: ':0', OPENAI_API_KEY: 'sk-secret' };
    const receipt = await new Desktop(environment, 'linux').send(NOTICE, LASTING);
    expect(receipt).toEqual({ channel: 'desktop', reference: 'abc-1' });
    expect(program.shown()).toEqual([
      ...['--app-name=Troupe', '--', '--help $(touch x)', '‹b›a‹/b› ＆ ＼033 `id`', 'b', ''],
    ]);
    expect(program.environment()).toContain('DISPLAY=:0');
    expect(program.environment()).not.toContain('sk-secret');
  },
);

verifies('notify.desktop', 'on macOS the texts are arguments of a fixed script', async () => {
  const program = desktopProgram('osascript');
  program.behave('accepts');
  await new Desktop({ PATH: program.path }, 'darwin').send({ ...NOTICE, text: 'c' }, LASTING);
  expect(program.shown()).toEqual([
    ...['-e', 'on run argv', '-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
    ...['-e', 'end run', '--', '--help $(touch x)', 'c', ''],
  ]);
});

verifies('notify.desktop', 'a missing program and its own words are the reason', async () => {
  await expect(new Desktop({ PATH: room() }, 'linux').send(NOTICE, LASTING)).rejects.toMatchObject({
    code: 'notify_failed',
    why: 'notify-send is not installed',
  });
  const program = desktopProgram();
  program.behave('refuses');
  await expect(new Desktop({ PATH: program.path }, 'linux').send(NOTICE, LASTING)).rejects.toMatchObject({
    why: 'no session bus',
  });
});
