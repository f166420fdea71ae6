import { appendFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { randomFrom } from '../../crash/killing.js';
import { PATIENCE } from '../../patience.js';
import { textOf } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';
import { adding, flushes, onDisk, titlesIn, turns } from './scripted-disk.js';

/** Runs of random events, each with a seed of its own. */
const RUNS = 30;
const EVENTS = 60;

async function service() {
  const place = await onDisk(true);
  const flush = flushes(place.disk);
  const decided: string[] = [];
  /** Commits a task. `told` becomes its outcome. */
  const commit = (title: string, requestId?: string) => {
    const decide = (view: Parameters<ReturnType<typeof adding>>[0]) => {
      decided.push(title);
      return adding(title)(view);
    };
    return place.store.commit(decide, requestId === undefined ? {} : { requestId, fresh: true });
  };
  const begin = (count = 1) => vi.waitFor(() => expect(flush.begun()).toBe(count), PATIENCE);
  const close = async () => {
    place.disk.broken = {};
    while (flush.begun() > 0) flush.end();
    await place.store.close();
  };
  return { ...place, ...flush, decided, commit, begin, close };
}

verifies(
  'graph.store.append',
  'while a batch is being flushed, the next is decided, and written with one write',
  async () => {
    const { store, log, decided, commit, begun, begin, end, close } = await service();
    const one = commit('One');
    await begin();
    const two = commit('Two');
    await turns(3);
    const three = commit('Three');
    await turns(3);
    expect(decided).toEqual(['One', 'Two', 'Three']);
    expect(textOf(log)).not.toContain('Two');
    const meanwhile = titlesIn(store);
    end();
    expect((await one).seq).toBe(2);
    expect(await meanwhile, 'what is decided but not written is not shown').toBe('Before,One');
    await begin();
    expect(textOf(log)).toMatch(/Two.*Three/s);
    end();
    expect([(await two).seq, (await three).seq]).toEqual([3, 4]);
    expect([begun(), await titlesIn(store)]).toEqual([0, 'Before,One,Three,Two']);
    await close();
  },
);

verifies('hold.append.back', 'what was decided on a lost change is decided again without it', async () => {
  const { store, decided, commit, begin, end, fail, close } = await service();
  const lost = commit('Same').catch(({ code }) => code);
  await begin();
  const two = commit('Same');
  await turns(3);
  fail();
  expect(await lost).toBe('disk_failed');
  await begin();
  end();
  const { seq, entries } = await two;
  expect(decided).toEqual(['Same', 'Same', 'Same']);
  expect([seq, entries[0]?.task_id], 'the id is free again').toEqual([2, 'same']);
  expect(await titlesIn(store)).toBe('Before,Same');
  await close();
});

verifies('graph.store.hand', 'what a hand writes during a flush is read before the next batch is written', async () => {
  const { store, graph, ops, commit, begin, end, close } = await service();
  const one = commit('One');
  await begin();
  const two = commit('Two');
  await turns(3);
  appendFileSync(graph, '{"kind":"task","id":"by-hand","title":"By hand","status":"open"}\n');
  end();
  await one;
  await begin();
  end();
  await two;
  expect(ops()).toEqual(['add_task', 'add_task', 'hand_edit', 'add_task']);
  expect(await titlesIn(store)).toBe('Before,By hand,One,Two');
  await close();
});

verifies(
  'graph.port.shared',
  'a request repeated while its answer is on its way to the disk gets that answer',
  async () => {
    const { store, decided, commit, begin, end, fail, close } = await service();
    const first = commit('One', 'r-1');
    await begin();
    const again = commit('One', 'r-1');
    await turns(3);
    end();
    expect((await again).entries).toEqual((await first).entries);
    expect(decided).toEqual(['One']);
    const lost = commit('Two', 'r-2').catch(({ code }) => code);
    await begin();
    const repeated = commit('Two', 'r-2');
    await turns(3);
    fail();
    expect(await lost).toBe('disk_failed');
    await begin();
    end();
    expect((await repeated).seq, 'an answer that was lost is none').toBe(3);
    expect(await titlesIn(store)).toBe('Before,One,Two');
    await close();
  },
);

verifies(
  'graph.store.load',
  'a snapshot under constant changes is written soon, and shows nothing that may be lost',
  async () => {
    const { store, graph, commit, begin, end, fail, close } = await service();
    let isOver = false;
    const commits: Promise<unknown>[] = [];
    const busy = (async () => {
      for (let number = 0; !isOver; number++) {
        commits.push(commit(`Task ${number}`).catch(() => undefined));
        await turns(2);
        if (number % 3 === 0) end();
      }
    })();
    await vi.waitFor(() => expect(textOf(graph)).toContain('Task'), PATIENCE);
    isOver = true;
    await busy;
    const shown = [...textOf(graph).matchAll(/"title":"(Task \d+)"/g)].map(([, title]) => title);
    await begin();
    fail();
    await close();
    await Promise.all(commits);
    const kept = (await titlesIn(store)).split(',');
    expect(shown.filter((title) => title === undefined || !kept.includes(title))).toEqual([]);
  },
);

verifies(
  ['graph.store.append', 'hold.append.back'],
  'whatever fails or is written meanwhile: what was answered is there once, what was refused is nowhere',
  async () => {
    for (let run = 1; run <= RUNS; run++) {
      const random = randomFrom(run);
      const { store, folder, graph, view, commit, end, fail, close } = await service();
      const answered = new Map<string, number>();
      const refused = new Set<string>();
      const shown = new Set<string>();
      const waiting: Promise<unknown>[] = [];
      const hands: string[] = [];
      const asked: (readonly [title: string, id: string])[] = [];
      const tell = (title: string, change: ReturnType<typeof commit>) =>
        change.then(
          ({ seq }) => void answered.set(title, seq),
          () => void refused.add(title),
        );
      for (let event = 0; event < EVENTS; event++) {
        const title = `t${event}`;
        const chance = random();
        if (chance < 0.4) {
          asked.push([title, `r-${event}`]);
          waiting.push(tell(title, commit(title, `r-${event}`)));
        } else if (chance < 0.5 && asked.length > 0) {
          const [again, id] = asked[Math.floor(random() * asked.length)] ?? ['', ''];
          waiting.push(tell(again, commit(again, id)));
        } else if (chance < 0.7) end();
        else if (chance < 0.78) fail();
        else if (chance < 0.86)
          waiting.push(titlesIn(store).then((titles) => titles.split(',').map((one) => shown.add(one))));
        else if (chance < 0.89) {
          hands.push(title);
          appendFileSync(graph, `{"kind":"task","id":"${title}","title":"${title}","status":"open"}\n`);
        } else if (chance < 0.92) waiting.push(store.rotate().catch(() => undefined));
        await turns(Math.floor(random() * 4));
      }
      await close();
      await Promise.all(waiting);
      const there = [...(await view()).nodes()].map(({ title }) => String(title)).sort();
      const why = `run ${run} in ${folder}`;
      expect(there, why).toEqual(['Before', ...hands, ...answered.keys()].sort());
      for (const title of shown) expect(there, `${title} was shown, ${why}`).toContain(title);
      for (const title of refused) if (!answered.has(title)) expect(there, why).not.toContain(title);
      const entries: Entry[] = [];
      for await (const entry of store.entries(1)) entries.push(entry);
      expect(
        entries.map(({ seq }) => seq),
        why,
      ).toEqual(entries.map((_, index) => index + 1));
      expect(
        entries.slice(1).map(({ prev }) => prev),
        why,
      ).toEqual(entries.slice(0, -1).map(({ id }) => id));
    }
  },
);
