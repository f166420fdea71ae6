/**
 * The live view: its content, its drawing, its keys.
 * @packageDocumentation
 */
import { Box, render, Text, useApp, useInput, useStdout } from 'ink';
import { createElement as element, useEffect, useRef, useState } from 'react';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inert } from '#kernel/text.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { openAlternateScreen, type Stage } from '#surfaces/cli/stage.js';
import { terminalSize } from '#surfaces/cli/terminal-size.js';
import { type StatusWork, topFrame } from './frame.js';

/** Data and actions that the view needs from the program. Errors are shown in one line, and the view continues. */
export interface TopSource {
  work(): Promise<StatusWork>;
  /** Latest output of the task's run. */
  output(task: string): Promise<string>;
  kill(run: string): Promise<void>;
  /** Pauses the service, or resumes it if it is `paused`. */
  toggle(paused: boolean): Promise<void>;
}

const KEYS = 'q quit   arrows choose   enter log   p pause   k kill';

/** Draws until the person quits or a signal ends it, then restores the terminal. */
export async function showTop(source: TopSource, screen: Screen, stage: Stage): Promise<void> {
  const alternate = openAlternateScreen(stage);
  try {
    const app = render(element(Top, { source, screen }), {
      stdin: stage.input,
      stdout: stage.out,
      exitOnCtrlC: true,
      patchConsole: false,
    });
    alternate.onEnd(() => app.unmount());
    await app.waitUntilExit();
  } finally {
    alternate.close();
  }
}

/** Content of the screen: the runs, the log of one, or a question about one. */
type Mode =
  | { readonly at: 'runs' }
  | { readonly at: 'log'; readonly task: string }
  | { readonly at: 'kill'; readonly run: string };

function Top({ source, screen }: { source: TopSource; screen: Screen }) {
  const { exit } = useApp();
  const { columns: width, rows: height } = useSize();
  const [work, setWork] = useState<StatusWork>();
  const [log, setLog] = useState('');
  const [selected, setSelected] = useState(0);
  const [mode, setMode] = useState<Mode>({ at: 'runs' });
  /** Error of the latest refresh. */
  const [trouble, setTrouble] = useState('');
  /** Error of the latest act, until the next key. */
  const [refusal, setRefusal] = useState('');
  const logged = mode.at === 'log' ? mode.task : undefined;

  const tried = (act: () => Promise<void>) => {
    act().catch((error: Error) => setRefusal(inert(error.message)));
  };
  useEvery(TEAM_LIMITS.topEveryMs, logged, async (task, isOver) => {
    try {
      const current = await source.work();
      const text = task === undefined ? '' : await source.output(task);
      if (isOver()) return;
      setTrouble('');
      setWork(current);
      setLog(text);
      setSelected((before) => Math.max(0, Math.min(before, current.runs.length - 1)));
    } catch (error) {
      if (!isOver()) setTrouble(inert((error as Error).message));
    }
  });
  useInput((input, key) => {
    const run = work?.runs[selected];
    setRefusal('');
    if (mode.at === 'kill') {
      if (input === 'y') tried(() => source.kill(mode.run));
      setMode({ at: 'runs' });
    } else if (input === 'q') exit();
    else if (key.escape || (key.return && mode.at === 'log')) setMode({ at: 'runs' });
    else if (key.upArrow) setSelected((before) => Math.max(0, before - 1));
    else if (key.downArrow) setSelected((before) => Math.min(Math.max(0, (work?.runs.length ?? 1) - 1), before + 1));
    else if (key.return && run) setMode({ at: 'log', task: run.task });
    else if (input === 'k' && run) setMode({ at: 'kill', run: run.run });
    else if (input === 'p' && work) tried(() => source.toggle(work.service.paused));
  });

  const room = height - 2;
  const lines = !work
    ? ['Loading …']
    : logged === undefined
      ? topFrame(work, { screen, width, height: room, selected })
      : logLines(logged, log, screen, room);
  const foot =
    mode.at === 'kill'
      ? screen.colour.yellow(`Stop ${inert(mode.run)}? Its task is released. y/n`)
      : refusal || trouble || screen.colour.dim(mode.at === 'log' ? 'q quit   esc back' : KEYS);
  const visible = [...lines.slice(0, room), ...Array<string>(Math.max(0, room - lines.length)).fill(''), foot];
  return element(
    Box,
    { flexDirection: 'column', width, height: height - 1 },
    ...visible.map((line, index) => element(Text, { key: index, wrap: 'truncate-end' }, line === '' ? ' ' : line)),
  );
}

function logLines(task: string, text: string, { colour }: Screen, room: number): string[] {
  const lines = text.split('\n').map((line) => inert(line));
  return [colour.bold(`Log of ${inert(task)}`), ...(text === '' ? ['No output yet.'] : lines.slice(1 - room))];
}

/** Current size of the terminal. */
function useSize(): ReturnType<typeof terminalSize> {
  const { stdout } = useStdout();
  const now = () => terminalSize(stdout);
  const [size, setSize] = useState(now);
  useEffect(() => {
    const look = () => setSize(now());
    stdout.on('resize', look);
    return () => {
      stdout.off('resize', look);
    };
  });
  return size;
}

/** Calls `work` at once and again `pauseMs` after each call ends, never concurrently; restarts if `about` changes. */
function useEvery(
  pauseMs: number,
  about: string | undefined,
  work: (about: string | undefined, isOver: () => boolean) => Promise<void>,
): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    const round = async () => {
      await latest.current(about, () => over);
      if (!over) timer = setTimeout(round, pauseMs);
    };
    void round();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [pauseMs, about]);
}
