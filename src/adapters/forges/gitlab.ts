import * as z from 'zod/mini';
import type { ForgeIssue } from '#core/imports/forges.js';
import { forgeIssue } from '#core/imports/forges.js';
import type { PullCheck, PullLook, PullRemark } from '#core/imports/pull-facts.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import type { ForgeComment, ForgeRepository, NewPull } from '#ports/forge.js';
import type { ForgeProgram } from './forge-program.js';
import type { ForgeApi } from './repository-forge.js';

const text = z.nullish(z.string());
const record = z.record(z.string(), z.json());
const project = z.object({
  id: z.int(),
  path_with_namespace: z.string(),
  web_url: z.string(),
  default_branch: z.nullish(z.string()),
});
const note = z.object({
  id: z.int(),
  body: z.string(),
  author: z.object({ username: z.string() }),
  system: z.boolean(),
});
const request = z.object({ iid: z.int(), web_url: z.string(), state: z.string(), sha: text });
const pipeline = z.object({ id: z.int(), sha: z.string(), status: z.string() });
const job = z.object({ id: z.int(), name: z.string(), status: z.string(), allow_failure: z.nullish(z.boolean()) });
const member = z.object({ username: z.string(), access_level: z.int() });

/** Level from which on a member may write to the repository. */
const DEVELOPER = 30;
const RUNNING = /^(?:created|waiting_for_resource|preparing|pending|running|scheduled)$/;
const COMMENTS = { items: FORGE_LIMITS.commentItems, pages: FORGE_LIMITS.commentPages };

/** The REST API of GitLab. */
export class GitLabApi implements ForgeApi {
  private readonly program: ForgeProgram;
  private me: string | undefined;

  constructor(program: ForgeProgram) {
    this.program = program;
  }

  async repository(name: string): Promise<ForgeRepository | undefined> {
    const found = await this.program.read(`projects/${encodeURIComponent(name)}`, project);
    if (found === undefined) return undefined;
    const { id, path_with_namespace, web_url, default_branch } = found;
    return { id: String(id), name: path_with_namespace, url: web_url, branch: default_branch ?? 'main' };
  }

  async issues({ id }: ForgeRepository, label: string): Promise<readonly ForgeIssue[] | undefined> {
    const address = `projects/${id}/issues?scope=all&order_by=created_at&sort=asc&labels=${encodeURIComponent(label)}`;
    const rows = await this.program.list(address, record, { items: FORGE_LIMITS.pageItems, pages: FORGE_LIMITS.pages });
    return rows?.flatMap((row) => forgeIssue('gitlab', row) ?? []);
  }

  async comments({ id }: ForgeRepository, issue: number): Promise<readonly ForgeComment[] | undefined> {
    const rows = await this.program.list(`projects/${id}/issues/${issue}/notes?sort=asc`, note, COMMENTS);
    this.me ??= (await this.program.read('user', z.object({ username: z.string() })))?.username ?? '';
    return rows?.map((row) => ({ id: String(row.id), body: row.body, isOwn: row.author.username === this.me }));
  }

  async say({ id }: ForgeRepository, issue: number, body: string, comment?: string): Promise<string | undefined> {
    const notes = `projects/${id}/issues/${issue}/notes`;
    const asked =
      comment === undefined
        ? await this.program.ask('POST', notes, { body })
        : await this.program.ask('PUT', `${notes}/${comment}`, { body });
    return asked.status < 300 ? String(this.program.parsed(asked, z.object({ id: z.int() })).id) : undefined;
  }

  async close({ id }: ForgeRepository, issue: number, state: 'open' | 'completed' | 'dropped'): Promise<boolean> {
    const body = { state_event: state === 'open' ? 'reopen' : 'close' };
    return (await this.program.ask('PUT', `projects/${id}/issues/${issue}`, body)).status < 300;
  }

  async pull({ id }: ForgeRepository, branch: string): Promise<PullLook | undefined> {
    const source = encodeURIComponent(branch);
    const address = `projects/${id}/merge_requests?state=all&order_by=created_at&sort=desc&per_page=1&source_branch=${source}`;
    const [found] = (await this.program.read(address, z.array(request))) ?? [];
    if (found === undefined) return undefined;
    const state = found.state === 'merged' ? 'merged' : found.state === 'opened' ? 'open' : 'closed';
    return {
      number: found.iid,
      url: found.web_url,
      state,
      head: found.sha ?? '',
      checks: state === 'open' ? await this.checks(id, found.iid, found.sha ?? '') : [],
      remarks: await this.remarks(id, found.iid),
    };
  }

  async openPull({ id }: ForgeRepository, { branch, base, title, body }: NewPull): Promise<boolean> {
    const wanted = { source_branch: branch, target_branch: base, title, description: body };
    return (await this.program.ask('POST', `projects/${id}/merge_requests`, wanted)).status < 300;
  }

  /** Jobs of the latest pipeline of this commit. */
  private async checks(id: string, pull: number, sha: string): Promise<PullCheck[]> {
    const all = await this.program.read(`projects/${id}/merge_requests/${pull}/pipelines`, z.array(pipeline));
    const latest = all?.find((one) => one.sha === sha);
    if (latest === undefined) return [];
    const jobs = await this.program.read(`projects/${id}/pipelines/${latest.id}/jobs?per_page=100`, z.array(job));
    const checks: PullCheck[] = [];
    for (const { id: number, name, status, allow_failure } of jobs ?? []) {
      if (status === 'failed' && allow_failure !== true) {
        const isToBeRead = checks.length < FORGE_LIMITS.checksTold;
        const asked = isToBeRead ? await this.program.ask('GET', `projects/${id}/jobs/${number}/trace`) : undefined;
        checks.push({ name, state: 'failed', log: asked !== undefined && asked.status < 300 ? asked.text : '' });
      } else checks.push({ name, state: RUNNING.test(status) ? 'running' : 'passed' });
    }
    return checks;
  }

  private async remarks(id: string, pull: number): Promise<PullRemark[]> {
    const notes = await this.program.list(`projects/${id}/merge_requests/${pull}/notes?sort=asc`, note, COMMENTS);
    const said = (notes ?? []).filter(({ system }) => !system);
    if (said.length === 0) return [];
    const members = (await this.program.list(`projects/${id}/members/all`, member, COMMENTS)) ?? [];
    const writers = new Set(members.filter(({ access_level: level }) => level >= DEVELOPER).map((one) => one.username));
    return said.map(({ id: number, body, author }) => ({
      ...{ kind: 'note', id: number, author: author.username, text: body, isTrusted: writers.has(author.username) },
    }));
  }
}
