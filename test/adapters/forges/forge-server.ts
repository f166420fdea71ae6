import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { room } from '../../room.js';

const PROGRAM = path.resolve(import.meta.dirname, '../../fixtures/forge-program.sh');

export interface FakeIssue {
  readonly number: number;
  title: string;
  body?: string;
  state: 'open' | 'closed';
  state_reason?: string | null;
  labels: string[];
  gone?: boolean;
}

interface FakeComment {
  readonly id: number;
  readonly issue: number;
  readonly author: string;
  body: string;
}

interface FakePull {
  readonly number: number;
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  head: string;
  state: 'open' | 'closed';
  merged: boolean;
}

interface FakeCheck {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly failed: boolean;
  readonly log: string;
}

interface FakeRemark {
  readonly id: number;
  readonly pull: number;
  readonly author: string;
  readonly body: string;
  readonly mayWrite: boolean;
}

/** What the server does in place of answering. */
type Fault = 'silence' | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };

/** A repository with issues and pull requests that speaks as much of the APIs of GitHub and GitLab as is used. */
export class FakeForge {
  repository = { id: 7, name: 'acme/shop' };
  readonly issues = new Map<number, FakeIssue>();
  readonly comments: FakeComment[] = [];
  readonly pulls: FakePull[] = [];
  checks: FakeCheck[] = [];
  readonly remarks: FakeRemark[] = [];
  /** Each request as `METHOD address`. */
  readonly asked: string[] = [];
  fault: ((asked: string) => Fault | undefined) | undefined;
  /** Called after a request took effect and before it is answered. */
  after: ((asked: string) => void) | undefined;
  /** Commit of a branch in the repository that is pushed to. */
  headOf: (branch: string) => string = () => '';
  url = '';

  add(number: number, title: string, more: Partial<FakeIssue> = {}): FakeIssue {
    const issue: FakeIssue = { number, title, state: 'open', labels: ['troupe'], ...more };
    this.issues.set(number, issue);
    return issue;
  }

  said(issue: number): string[] {
    return this.comments.filter((comment) => comment.issue === issue).map(({ body }) => body);
  }

  /** Requests that change something. */
  changes(): string[] {
    return this.asked.filter((asked) => !asked.startsWith('GET '));
  }

  answer(program: string, method: string, address: string, body: Record<string, unknown>): unknown {
    return program === 'gh' ? this.gitHub(method, address, body) : this.gitLab(method, address, body);
  }

  private gitHub(method: string, address: string, body: Record<string, unknown>): unknown {
    const url = `https://github.com/${this.repository.name}`;
    const [resource = '', query = ''] = address.split('?');
    const wanted = new URLSearchParams(query);
    if (resource === 'user') return { login: 'tess' };
    const at = /^repos\/[^/]+\/[^/]+(?:\/(.*))?$/.exec(resource)?.[1];
    const [, number = '', rest = ''] = /^(?:issues|pulls)\/(\d+)(?:\/(.*))?$/.exec(at ?? '') ?? [];
    const shown = (issue: FakeIssue) => ({
      ...issue,
      body: issue.body ?? null,
      labels: issue.labels.map((name) => ({ name })),
      user: { login: 'otto' },
      html_url: `${url}/issues/${issue.number}`,
      created_at: '2026-01-02T03:04:05Z',
      closed_at: null,
      updated_at: new Date().toISOString(),
    });
    const comment = ({ id, author, body: text }: FakeComment) => ({ id, body: text, user: { login: author } });
    if (at === undefined)
      return { ...{ id: this.repository.id, full_name: this.repository.name, html_url: url }, default_branch: 'main' };
    if (at === 'issues') return this.labelled(wanted).map(shown);
    if (at.startsWith('issues/comments/')) {
      const found = this.comments.find(({ id, issue }) => at.endsWith(`/${id}`) && this.hasTalk(issue));
      if (found) found.body = String(body['body']);
      return found && comment(found);
    }
    if (at.startsWith('issues/') && rest === 'comments') {
      if (!this.hasTalk(Number(number))) return undefined;
      if (method === 'POST') return comment(this.write(Number(number), body));
      return this.comments.filter(({ issue }) => issue === Number(number)).map(comment);
    }
    if (at.startsWith('issues/')) {
      const issue = this.issues.get(Number(number));
      if (issue === undefined || issue.gone) return undefined;
      if (method === 'PATCH')
        Object.assign(issue, { state: body['state'], state_reason: body['state_reason'] ?? null });
      return shown(issue);
    }
    const pull = (one: FakePull) => ({
      ...{ number: one.number, state: one.state, html_url: `${url}/pull/${one.number}`, title: one.title },
      ...{ merged_at: one.merged ? '2026-01-02T03:04:05Z' : null, head: { sha: this.headOf(one.branch) || one.head } },
    });
    if (at === 'pulls' && method === 'POST') return pull(this.open(String(body['head']), body));
    if (at === 'pulls') {
      const branch = (wanted.get('head') ?? '').replace(/^[^:]*:/, '');
      return this.pulls
        .filter((one) => one.branch === branch)
        .reverse()
        .slice(0, 1)
        .map(pull);
    }
    if (at.startsWith('pulls/')) {
      const kind = rest === 'reviews' ? this.remarks.filter((one) => one.pull === Number(number)) : [];
      return kind.map(({ id, author, body: text, mayWrite }) => ({
        ...{ id, body: text, user: { login: author }, state: 'COMMENTED' },
        author_association: mayWrite ? 'MEMBER' : 'NONE',
      }));
    }
    const [, sha = '', what = ''] = /^commits\/(\w+)\/(check-runs|status)$/.exec(at) ?? [];
    if (what === 'status') return { statuses: [] };
    if (what === 'check-runs') {
      const runs = this.checks.filter((check) => check.sha === sha);
      return {
        check_runs: runs.map(({ id, name, failed }) => ({
          ...{ id, name, status: 'completed', conclusion: failed ? 'failure' : 'success', output: {} },
          app: { slug: 'github-actions' },
        })),
      };
    }
    const job = /^actions\/jobs\/(\d+)\/logs$/.exec(at)?.[1];
    return this.checks.find(({ id }) => String(id) === job)?.log;
  }

  private gitLab(method: string, address: string, body: Record<string, unknown>): unknown {
    const url = `https://gitlab.com/${this.repository.name}`;
    const [resource = '', query = ''] = address.split('?');
    const wanted = new URLSearchParams(query);
    if (resource === 'user') return { username: 'tess' };
    const [, project = '', at] = /^projects\/([^/]+)(?:\/(.*))?$/.exec(resource) ?? [];
    if (at === undefined) {
      const isIt = decodeURIComponent(project) === this.repository.name;
      const found = { id: this.repository.id, path_with_namespace: this.repository.name, web_url: url };
      return isIt ? { ...found, default_branch: 'main' } : undefined;
    }
    const [, number = '', rest = ''] = /^(?:issues|merge_requests)\/(\d+)(?:\/(.*))?$/.exec(at) ?? [];
    const note = ({ id, author, body: text }: FakeComment) => ({
      id,
      body: text,
      author: { username: author },
      system: false,
    });
    const shown = (issue: FakeIssue) => ({
      ...{ iid: issue.number, title: issue.title, description: issue.body ?? null, labels: issue.labels },
      state: issue.state === 'open' ? 'opened' : 'closed',
      ...{
        author: { username: 'otto' },
        web_url: `${url}/-/issues/${issue.number}`,
        created_at: '2026-01-02T03:04:05Z',
      },
    });
    if (at === 'issues') return this.labelled(wanted).map(shown);
    const change = /^issues\/\d+\/notes\/(\d+)$/.exec(at)?.[1];
    if (change !== undefined) {
      const found = this.comments.find(({ id, issue }) => String(id) === change && this.hasTalk(issue));
      if (found) found.body = String(body['body']);
      return found && note(found);
    }
    if (at.startsWith('issues/') && rest === 'notes') {
      if (!this.hasTalk(Number(number))) return undefined;
      if (method === 'POST') return note(this.write(Number(number), body));
      return this.comments.filter(({ issue }) => issue === Number(number)).map(note);
    }
    if (at.startsWith('issues/')) {
      const issue = this.issues.get(Number(number));
      if (issue === undefined || issue.gone) return undefined;
      issue.state = body['state_event'] === 'close' ? 'closed' : 'open';
      return shown(issue);
    }
    const request = (one: FakePull) => ({
      ...{ iid: one.number, web_url: `${url}/-/merge_requests/${one.number}` },
      ...{
        state: one.merged ? 'merged' : one.state === 'open' ? 'opened' : 'closed',
        sha: this.headOf(one.branch) || one.head,
      },
    });
    if (at === 'merge_requests' && method === 'POST') return request(this.open(String(body['source_branch']), body));
    if (at === 'merge_requests')
      return this.pulls
        .filter((one) => one.branch === wanted.get('source_branch'))
        .reverse()
        .slice(0, 1)
        .map(request);
    if (rest === 'pipelines') {
      const pull = this.pulls.find((one) => one.number === Number(number));
      const sha = pull && (this.headOf(pull.branch) || pull.head);
      return this.checks.some((check) => check.sha === sha) ? [{ id: 1, sha, status: 'failed' }] : [];
    }
    if (at.startsWith('merge_requests/') && rest === 'notes')
      return this.remarks
        .filter((one) => one.pull === Number(number))
        .map(({ id, author, body: text }) => ({ id, body: text, author: { username: author }, system: false }));
    if (at === 'members/all')
      return this.remarks.map(({ author, mayWrite }) => ({ username: author, access_level: mayWrite ? 40 : 10 }));
    if (at === 'pipelines/1/jobs')
      return this.checks.map(({ id, name, failed }) => ({ id, name, status: failed ? 'failed' : 'success' }));
    const job = /^jobs\/(\d+)\/trace$/.exec(at)?.[1];
    return this.checks.find(({ id }) => String(id) === job)?.log;
  }

  private labelled(wanted: URLSearchParams): FakeIssue[] {
    const [items, page] = [Number(wanted.get('per_page')), Number(wanted.get('page'))];
    const all = [...this.issues.values()].filter(
      ({ labels, gone }) => gone !== true && labels.includes(wanted.get('labels') ?? ''),
    );
    return all.slice((page - 1) * items, page * items);
  }

  private hasTalk(number: number): boolean {
    const issue = this.issues.get(number);
    return issue === undefined ? this.pulls.some((pull) => pull.number === number) : issue.gone !== true;
  }

  private write(issue: number, body: Record<string, unknown>): FakeComment {
    const made = { id: 100 + this.comments.length, issue, author: 'tess', body: String(body['body']) };
    this.comments.push(made);
    return made;
  }

  private open(branch: string, body: Record<string, unknown>): FakePull {
    const text = String(body['body'] ?? body['description'] ?? '');
    const pull: FakePull = {
      ...{ number: 50 + this.pulls.length, branch, title: String(body['title']), body: text },
      ...{ head: this.headOf(branch), state: 'open', merged: false },
    };
    this.pulls.push(pull);
    return pull;
  }
}

/** A forge that listens on the loopback device until the test ends, and a folder with `gh` and `glab` that ask it. */
export async function forgeServer(): Promise<{
  readonly forge: FakeForge;
  readonly env: Readonly<Record<string, string>>;
  readonly programs: string;
}> {
  const forge = new FakeForge();
  const server = createServer((request, response) => {
    void answer(forge, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  forge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const programs = room('programs');
  for (const name of ['gh', 'glab']) {
    writeFileSync(path.join(programs, name), `#!/bin/sh\nexec bash '${PROGRAM}' ${name} "$@"\n`);
    chmodSync(path.join(programs, name), 0o755);
  }
  const PATH = `${programs}:${process.env['PATH'] ?? '/usr/bin:/bin'}`;
  return { forge, env: { PATH, GH_FAKE_URL: forge.url, GITLAB_FAKE_URL: forge.url }, programs };
}

async function answer(forge: FakeForge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [, program = '', address = ''] = /^\/(gh|glab)\/(.*)$/.exec(request.url ?? '') ?? [];
  const asked = `${request.method ?? ''} ${address}`;
  forge.asked.push(asked);
  const fault = forge.fault?.(asked);
  if (fault === 'silence') return;
  if (fault !== undefined) {
    response.writeHead(fault.status, { 'x-fake': '1', ...fault.headers }).end(fault.body);
    return;
  }
  const text = Buffer.concat(chunks).toString();
  const value = forge.answer(program, request.method ?? '', address, text === '' ? {} : JSON.parse(text));
  forge.after?.(asked);
  if (value === undefined) response.writeHead(404, { 'x-fake': '1' }).end('{"message":"Not Found"}');
  else response.writeHead(200, { 'x-fake': '1' }).end(typeof value === 'string' ? value : JSON.stringify(value));
}
