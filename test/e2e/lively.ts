import type { World } from './world.js';

/** A project in full swing: reviews, a question, failures with one cause and of their own, runs, work that waits. */
export async function livelyProject(own: World): Promise<void> {
  const ago = (seconds: number) => new Date(own.clock.now() - seconds * 1_000).toISOString();
  await own.add('schema', {
    title: 'Design the schema',
    member: 'Ripley',
    status: 'done',
    started_at: ago(900),
    completed_at: ago(540),
  });
  await own.add('licence', { title: 'Choose a licence', member: 'Ash', status: 'done', completed_at: ago(3_600) });
  await own.add('parser', {
    title: 'Handle empty input in the parser',
    member: 'Ash',
    status: 'pending-validation',
    fence: 2,
    assigned: 'agent-2',
    verify: 'Reads well; no jargon. parse("") returns [] instead of [""].',
    evidence: { verify_cmd: 'npm test', exit: 0, ms: 3_200 },
    token_usage: { input_tokens: 5_600, output_tokens: 500, cost_usd: 0.04 },
    started_at: ago(500),
  });
  await own.add('errors', {
    title: 'Give every API error a code',
    member: 'Kane',
    status: 'pending-validation',
    fence: 1,
    assigned: 'agent-3',
    verify: 'Each code has a sentence and a hint',
    evidence: { verify_cmd: 'npm run lint', exit: 1, ms: 11_000 },
    token_usage: { input_tokens: 18_000, output_tokens: 1_500, cost_usd: 0.21 },
    started_at: ago(300),
  });
  await own.add('grammar', {
    title: 'Importer design',
    member: 'Ripley',
    status: 'waiting',
    fence: 1,
    wait_condition: { mode: 'all', since: ago(360), conditions: [{ type: 'human-input' }] },
    checkpoint: 'Which grammar should the importer read: RFC 4180, or what spreadsheets write?',
  });
  for (let number = 1; number <= 12; number++)
    await own.add(`seats-${number}`, {
      title: `Seat map, part ${number}`,
      status: 'failed',
      fence: 1,
      failure_reason: `agent-${number + 20}: the provider refused the key (401)`,
      completed_at: ago(1_200 + number),
    });
  await own.add('login', {
    title: 'Fix the failing login',
    member: 'Hicks',
    status: 'failed',
    fence: 3,
    retry_count: 3,
    failure_reason: '2 tests still red in auth.spec.ts',
    completed_at: ago(700),
  });
  for (const name of ['deploy', 'notes', 'announce', 'rollback'])
    await own.add(name, { title: `After the login: ${name}`, after: ['login'], after_success: ['login'] });
  await own.add('draft', { title: 'Nightly dependency review', paused: true, exec: 'npm audit' });
  for (const [id, title, member, run, started, line] of [
    [
      'tokenizer',
      'A long refactoring of the tokenizer',
      'Hicks',
      'agent-30',
      250,
      'extracting the lexer states into a table',
    ],
    ['rules', 'Write the booking rules', 'Vasquez', 'agent-31', 62, 'npm test -- rules.spec.ts'],
    ['codes', 'Review: API error codes', 'Ash', 'agent-32', 22, 'reading src/errors.ts'],
  ] as const) {
    own.atWork.add(run);
    own.outputs.set(run, `Begins\n${line}\n`);
    await own.add(id, { title, member, status: 'in-progress', assigned: run, fence: 1, started_at: ago(started) });
  }
  for (const name of ['Seat map endpoint', 'Deploy to staging', 'Prices by season'])
    await own.add(name.toLowerCase().replaceAll(' ', '-'), { title: name, member: 'Newt' });
  const listed = (id: string, task_id: string, executor: string, usage: object, worker?: string) => ({
    ...{ id, task_id, executor, status: 'working', started_at: ago(250), usage },
    ...(worker === undefined ? {} : { worker }),
  });
  own.coordinate({
    executor: 'claude',
    holds: [],
    agents: async () => [
      listed(
        'agent-30',
        'tokenizer',
        'claude',
        { input_tokens: 30_000, output_tokens: 1_200, cost_usd: 0.21 },
        'host-b',
      ),
      listed('agent-31', 'rules', 'codex', {
        input_tokens: 7_000,
        output_tokens: 900,
        cost_usd: 0.03,
        estimated_usd: 0.03,
      }),
      listed('agent-32', 'codes', 'claude', { input_tokens: 2_500, output_tokens: 300, cost_usd: 0.01 }),
    ],
    spending: async () => ({
      caps: { usdPerDay: 20 },
      spent: {
        ...{ usdToday: 4.12, usdTotal: 61.4, usdEstimatedToday: 0, usdEstimatedTotal: 0 },
        ...{ tokensToday: 312_000, tokensUnpricedToday: 0 },
      },
      reserved: new Map(),
    }),
  } as never);
}

/** A large graph of which 108 tasks failed for one reason. */
export async function largeProject(own: World, tasks = 4_000): Promise<void> {
  const ended = new Date(own.clock.now() - 600_000).toISOString();
  await own.addAll(
    Array.from({ length: tasks }, (_, number) => {
      const row = { id: `t-${String(number).padStart(4, '0')}`, title: `Step ${number} of the migration` };
      if (number < 108)
        return { ...row, status: 'failed', failure_reason: 'the provider refused the key (401)', completed_at: ended };
      if (number < 2_000) return { ...row, status: 'done', completed_at: ended };
      return number < 2_006 ? row : { ...row, after: [`t-${String(2_000 + (number % 6)).padStart(4, '0')}`] };
    }),
  );
}
