import * as z from 'zod/mini';
import type { ForgeIssue } from '#core/imports/forges.js';
import { forgeIssue } from '#core/imports/forges.js';
import type { PullCheck, PullLook, PullRemark } from '#core/imports/pull-facts.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import type { ForgeComment, ForgeRepository, NewPull } from '#ports/forge.js';
import type { ForgeProgram } from './forge-program.js';
import type { ForgeApi } from './repository-forge.js';

const person = z.nullish(z.object({ login: z.string() }));
const text = z.nullish(z.string());
const record = z.record(z.string(), z.json());

const repository = z.object({ id: z.int(), full_name: z.string(), html_url: z.string(), default_branch: z.string() });
const comment = z.object({ id: z.int(), body: text, user: person });
const pullShape = z.object({
  number: z.int(),
  html_url: z.string(),
  state: z.string(),
  merged_at: text,
  head: z.object({ sha: z.string() }),
});
const runs = z.object({
  check_runs: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      status: z.string(),
      conclusion: text,
      output: z.nullish(z.object({ summary: text, text })),
      app: z.nullish(z.object({ slug: text })),
    }),
  ),
});
const statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), state: z.string(), description: text })),
});
const remark = z.object({
  id: z.int(),
  body: text,
  user: person,
  author_association: text,
  path: text,
  line: z.nullish(z.int()),
});

const FAILED: readonly string[] = ['failure', 'timed_out', 'action_required', 'startup_failure', 'error'];
const MAY_WRITE: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];
const COMMENTS = { items: FORGE_LIMITS.commentItems, pages: FORGE_LIMITS.commentPages };

/** The REST API of GitHub. */
export class GitHubApi implements ForgeApi {
  private readonly program: ForgeProgram;
  private me: string | undefined;

  constructor(program: ForgeProgram) {
    this.program = program;
  }

  async repository(name: string): Promise<ForgeRepository | undefined> {
    const found = await this.program.read(`repos/${name}`, repository);
    if (found === undefined) return undefined;
    return { id: String(found.id), name: found.full_name, url: found.html_url, branch: found.default_branch };
  }

  async issues({ name }: ForgeRepository, label: string): Promise<readonly ForgeIssue[] | undefined> {
    const address = `repos/${name}/issues?state=all&sort=created&direction=asc&labels=${encodeURIComponent(label)}`;
    const rows = await this.program.list(address, record, { items: FORGE_LIMITS.pageItems, pages: FORGE_LIMITS.pages });
    return rows?.flatMap((row) => forgeIssue('github', row) ?? []);
  }

  async comments({ name }: ForgeRepository, issue: number): Promise<readonly ForgeComment[] | undefined> {
    const rows = await this.program.list(`repos/${name}/issues/${issue}/comments`, comment, COMMENTS);
    const me = await this.myself();
    return rows?.map(({ id, body, user }) => ({ id: String(id), body: body ?? '', isOwn: user?.login === me }));
  }

  async say({ name }: ForgeRepository, issue: number, body: string, id?: string): Promise<string | undefined> {
    const asked =
      id === undefined
        ? await this.program.ask('POST', `repos/${name}/issues/${issue}/comments`, { body })
        : await this.program.ask('PATCH', `repos/${name}/issues/comments/${id}`, { body });
    return asked.status < 300 ? String(this.program.parsed(asked, comment).id) : undefined;
  }

  async close({ name }: ForgeRepository, issue: number, state: 'open' | 'completed' | 'dropped'): Promise<boolean> {
    const reason = { state_reason: state === 'completed' ? 'completed' : 'not_planned' };
    const body = state === 'open' ? { state } : { state: 'closed', ...reason };
    return (await this.program.ask('PATCH', `repos/${name}/issues/${issue}`, body)).status < 300;
  }

  async pull({ name }: ForgeRepository, branch: string): Promise<PullLook | undefined> {
    const [owner = ''] = name.split('/');
    const head = encodeURIComponent(`${owner}:${branch}`);
    const address = `repos/${name}/pulls?state=all&sort=created&direction=desc&per_page=1&head=${head}`;
    const [found] = (await this.program.read(address, z.array(pullShape))) ?? [];
    if (found === undefined) return undefined;
    const state = found.merged_at ? 'merged' : found.state === 'open' ? 'open' : 'closed';
    const isOpen = state === 'open';
    return {
      number: found.number,
      url: found.html_url,
      state,
      head: found.head.sha,
      checks: isOpen ? await this.checks(name, found.head.sha) : [],
      remarks: await this.remarks(name, found.number),
    };
  }

  async openPull({ name }: ForgeRepository, { branch, base, title, body }: NewPull): Promise<boolean> {
    return (await this.program.ask('POST', `repos/${name}/pulls`, { head: branch, base, title, body })).status < 300;
  }

  private async checks(name: string, sha: string): Promise<PullCheck[]> {
    const { check_runs } = (await this.program.read(`repos/${name}/commits/${sha}/check-runs?per_page=100`, runs)) ?? {
      check_runs: [],
    };
    const older = await this.program.read(`repos/${name}/commits/${sha}/status?per_page=100`, statuses);
    const checks: PullCheck[] = [];
    for (const { id, name: check, status, conclusion, output, app } of check_runs) {
      const isFailed = status === 'completed' && FAILED.includes(conclusion ?? '');
      const state = status !== 'completed' ? 'running' : isFailed ? 'failed' : 'passed';
      const isToBeRead = isFailed && app?.slug === 'github-actions' && checks.length < FORGE_LIMITS.checksTold;
      const asked = isToBeRead ? await this.program.ask('GET', `repos/${name}/actions/jobs/${id}/logs`) : undefined;
      const log = asked !== undefined && asked.status < 300 ? asked.text : [output?.summary, output?.text].join('\n');
      checks.push({ name: check, state, ...(isFailed ? { log } : {}) });
    }
    for (const { context, state: word, description } of older?.statuses ?? []) {
      const state = FAILED.includes(word) ? 'failed' : word === 'pending' ? 'running' : 'passed';
      checks.push({ name: context, state, ...(state === 'failed' ? { log: description ?? '' } : {}) });
    }
    return checks;
  }

  private async remarks(name: string, pull: number): Promise<PullRemark[]> {
    const remarks: PullRemark[] = [];
    for (const [kind, address] of [
      ['review', `repos/${name}/pulls/${pull}/reviews`],
      ['line', `repos/${name}/pulls/${pull}/comments`],
      ['comment', `repos/${name}/issues/${pull}/comments`],
    ] as const) {
      for (const row of (await this.program.list(address, remark, COMMENTS)) ?? []) {
        const place = row.path ? `${row.path}${row.line ? `:${row.line}` : ''}: ` : '';
        remarks.push({
          ...{ kind, id: row.id, author: row.user?.login ?? 'unknown', text: row.body ? `${place}${row.body}` : '' },
          isTrusted: MAY_WRITE.includes(row.author_association ?? ''),
        });
      }
    }
    return remarks;
  }

  /** Login of the account. A token of GitHub Actions may not ask for it. */
  private async myself(): Promise<string> {
    if (this.me === undefined) {
      const user = await this.program.read('user', z.object({ login: z.string() }));
      this.me = user?.login ?? 'github-actions[bot]';
    }
    return this.me;
  }
}
