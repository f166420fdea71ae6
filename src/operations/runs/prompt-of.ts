/**
 * Listing, stopping and starting runs; gathering the facts of a prompt; checkpoints; detecting processes that belong to
 * a run.
 * @packageDocumentation
 */

import path from 'node:path';
import { notesByTask } from '#core/agency/list-evaluations.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { RECOVERY } from '#core/coordinator/triage.js';
import { AGENT } from '#core/graph/assignee.js';
import { setAsideBranch } from '#core/graph/attempts.js';
import { CONTEXT_SCOPES, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { rolePlaceOf } from '#core/playbooks/role-place.js';
import { seatFilesOf } from '#core/playbooks/seat-files.js';
import { type PromptPartRecord, promptPartsAt } from '#core/roles/prompt-parts.js';
import { buildPrompt, type Prompt } from '#core/runs/build-prompt.js';
import type { Execution } from '#core/runs/chains.js';
import { attemptOfBranch } from '#core/runs/names.js';
import type { Identity, PromptFacts, PromptSkill, ResolvedSkill, Scope } from '#core/runs/prompt-facts.js';
import { TEAM_MD } from '#core/squad/squad-paths.js';
import { projectName, readTeamFile } from '#core/squad/team-file.js';
import { reviewedTaskIds } from '#core/teams/reviewed-tasks.js';
import { timestamp } from '#kernel/clock.js';
import { asTroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Assignee, assignedTo } from '#operations/agency/assignee.js';
import type { FilesContext, ModelContext, WorkContext } from '#operations/contexts.js';
import { type TurnMail, turnMail } from '#operations/mail/turn-mail.js';
import { workOf } from '#operations/review/work-of.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { briefingFor } from '#operations/squad/memories.js';
import { teamFacts } from '#operations/teams/team-facts.js';
import { list } from '#operations/workflows/functions.js';
import type { SkillOrigin } from '#ports/prompt-sources.js';

/** State known when an attempt starts. Missing parts are looked up or left out. */
export interface KnownAttempt {
  /** Fence of its claim. */
  readonly number: number;
  /** Its execution settings. */
  readonly execution: Execution;
  /** Overrides the scope of the execution. */
  readonly scope?: Scope | undefined;
  /** Kind of its working files. */
  readonly tree: PromptFacts['tree'];
  /** Files missing there. */
  readonly lacks: readonly string[];
  readonly mayAdd: boolean;
  /** Ways to report and commit that its client supports. */
  readonly ways: Pick<PromptFacts, 'report' | 'commits'>;
  /** Rule files for its client in this project; of each group the first existing file counts. */
  readonly rules: readonly (readonly string[])[];
  /** Role and trade-off, in addition to the team member named by the task. */
  readonly identity?: Pick<Identity, 'role' | 'tradeoff'>;
  readonly skills?: readonly PromptSkill[];
  /** Origin of the role; by default elsewhere, which keeps its skills inside the project. */
  readonly origin?: SkillOrigin;
  readonly evaluations?: PromptFacts['evaluations'];
  readonly recovery?: string;
  /** Default: messages that no run of the task has read. */
  readonly messages?: PromptFacts['messages'];
  /** Default: the name in team.md, else that of its folder. */
  readonly project?: PromptFacts['project'];
}

export interface AttemptPrompt extends Prompt, Execution {
  readonly number: number;
  /** Hash of the team strategy in the prompt; undefined if there is none. */
  readonly strategy: string | undefined;
  /** Role parts in the prompt, by hash; empty without a role. */
  readonly roleParts: readonly PromptPartRecord[];
  /** Unavailable parts; the attempt goes on without them. */
  readonly warnings: readonly string[];
  /** Conversations included in the prompt. */
  readonly mail: TurnMail | undefined;
}

/**
 * Gathers the facts and builds the prompt of an attempt. Changes nothing; unreadable parts become warnings. Errors:
 * `unknown_task`, `exec_missing`, and `catalog_invalid` for Troupe's own texts.
 */
export async function promptOf(
  context: WorkContext & FilesContext & ModelContext,
  view: GraphView,
  taskId: string,
  attempt: KnownAttempt,
): Promise<AttemptPrompt> {
  const task = taskOf(view, taskId);
  const gathering = new Gathering(context);
  const assigned = await gathering.assigned(task);
  const { execution, number, tree, mayAdd } = attempt;
  const scope = attempt.scope ?? execution.scope;
  const wording = await (await context.wording()).load();
  const [
    conflict,
    judged,
    member,
    role,
    skills,
    evaluations,
    functions,
    messages,
    mail,
    memory,
    called,
    summary,
    rules,
    team,
  ] = await Promise.all([
    gathering.conflict(task),
    gathering.judged(view, task),
    gathering.member(task),
    gathering.role(task),
    gathering.skills({ ...skillsOf(assigned), ...attempt }),
    attempt.evaluations ?? gathering.evaluations(view, task),
    reaches(scope, 'task') && mayAdd ? gathering.functions() : undefined,
    reaches(scope, 'task') ? gathering.messages(task) : undefined,
    gathering.mail(view, task),
    reaches(scope, 'task') ? gathering.memory(task) : undefined,
    reaches(scope, 'graph') ? gathering.projectName() : undefined,
    reaches(scope, 'graph') ? gathering.text(SUMMARY, TEAM_LIMITS.promptFileBytes) : undefined,
    reaches(scope, 'task') ? gathering.rules(attempt.rules) : undefined,
    gathering.team(view, task),
  ]);
  // A team member is identified by its charter; an agent of a configuration by its position and its file.
  const self = member ? { member } : mail?.self;
  const prompt = buildPrompt(view, taskId, {
    scope,
    mode: execution.mode,
    attempt: number,
    nonce: `${context.freshId()}${context.freshId()}`,
    wording,
    program: context.command,
    ...attempt.ways,
    tree,
    lacks: attempt.lacks,
    mayAdd,
    identity: { ...identityOf(assigned), ...attempt.identity, ...self },
    role,
    skills,
    evaluations,
    recovery: attempt.recovery ?? RECOVERY.of(task),
    conflict,
    judged,
    handsIn: handsInOf(task),
    messages: attempt.messages ?? [...(mail?.messages ?? []), ...(messages ?? [])],
    conversation: mail?.conversation,
    roster: mail?.roster,
    team,
    memory,
    functions,
    project: attempt.project ?? { name: called },
    context: summary,
    rules,
  });
  const strategy = team?.strategy?.sha256;
  const roleParts = (role?.parts ?? []).map(({ text: _, ...part }) => part);
  return { ...execution, ...prompt, number, strategy, roleParts, warnings: gathering.warnings, mail };
}

const SUMMARY = FROM_PROJECT.context;
const FROM_ELSEWHERE: SkillOrigin = { imported: true, allowHosts: [] };

function handsInOf(task: Task): PromptFacts['handsIn'] {
  const seat = seatFilesOf(task);
  return seat && { run: seat.run, names: [...seat.files.keys()] };
}

/** Role and trade-off of an assignee; a person may have neither. */
function identityOf(assigned: Assignee | undefined): Pick<Identity, 'role' | 'tradeoff'> {
  const { role, tradeoff } = assigned ?? {};
  return {
    ...(role ? { role: { name: role.name, description: role.description, outcome: role.desired_outcome } } : {}),
    ...(tradeoff
      ? {
          tradeoff: {
            description: tradeoff.description,
            acceptable: tradeoff.acceptable_tradeoffs,
            unacceptable: tradeoff.unacceptable_tradeoffs,
          },
        }
      : {}),
  };
}

/**
 * Skills of a role in this project. Its authors may also write tasks here, so the skills get no more permissions than
 * tasks.
 */
function skillsOf(assigned: Assignee | undefined): Pick<KnownAttempt, 'skills'> {
  return assigned?.role ? { skills: assigned.role.skills } : {};
}

function reaches(scope: Scope, target: Scope): boolean {
  return CONTEXT_SCOPES.indexOf(scope) >= CONTEXT_SCOPES.indexOf(target);
}

/** Gathers the facts of one prompt; unavailable parts become warnings. */
class Gathering {
  readonly warnings: string[] = [];
  private readonly context: WorkContext & FilesContext & ModelContext;

  constructor(context: WorkContext & FilesContext & ModelContext) {
    this.context = context;
  }

  async assigned(task: Task): Promise<Assignee | undefined> {
    if (AGENT.of(task) === undefined && task.member === undefined) return undefined;
    const assignee = await this.tryGet('who it is for', () => assignedTo(this.context, task));
    if (!assignee && AGENT.of(task) !== undefined)
      this.warnings.push('who it is for: there is no such agent here, so it is unassigned');
    return assignee;
  }

  async member({ member }: Task): Promise<Identity['member']> {
    if (member === undefined) return undefined;
    const charter = await this.tryGet(`the charter of ${member}`, async () =>
      (await this.context.squad()).charter(member),
    );
    return { name: member, ...(charter === undefined ? {} : { charter }) };
  }

  /** Role parts for this task, without those of any other lane. */
  async role({ tags }: Task): Promise<PromptFacts['role']> {
    const place = rolePlaceOf(tags);
    if (place === undefined) return undefined;
    return await this.tryGet('the role', async () => ({
      parts: promptPartsAt(await loadRoles(this.context), place),
      alone: place.lane === 'solo',
    }));
  }

  async skills({ skills = [], origin = FROM_ELSEWHERE }: KnownAttempt): Promise<readonly ResolvedSkill[]> {
    if (skills.length === 0) return [];
    const sources = await (await this.context.skills()).resolve(skills, origin);
    for (const { kind, source, warning } of sources) {
      if (warning !== undefined) this.warnings.push(`skill ${source ?? kind}: ${warning}`);
    }
    if (skills.length > sources.length) this.warnings.push(`skills: only the first ${sources.length} were read`);
    return sources;
  }

  /** Evaluations of failed tasks only; the file is not read if none failed. */
  async evaluations(view: GraphView, task: Task): Promise<PromptFacts['evaluations']> {
    const failed = (task.after ?? []).filter((before) => view.task(before)?.status === 'failed');
    const about = (task.retry_count ?? 0) > 0 ? [task.id, ...failed] : failed;
    if (about.length === 0) return undefined;
    const evaluations = await this.tryGet('evaluations', async () => (await this.context.traceFiles()).evaluations());
    return evaluations && notesByTask(evaluations.records, new Set(about));
  }

  /**
   * Work that could not be merged. The branch name is computed here, because fields of a task may have been written by
   * anyone.
   */
  async conflict(task: Task): Promise<PromptFacts['conflict']> {
    const attempt = attemptOfBranch(setAsideBranch(task) ?? '');
    if (attempt === undefined) return undefined;
    return await this.tryGet('the work left aside', async () => {
      const trees = await this.context.trees();
      const { branch } = await trees.placeOf({ task: task.id, attempt });
      const diff = await trees.patch({ task: task.id, attempt }, TEAM_LIMITS.promptDiffBytes + 1);
      return diff === '' ? undefined : { branch, diff };
    });
  }

  async judged(view: GraphView, task: Task): Promise<PromptFacts['judged']> {
    const works: { task: string; changes: string }[] = [];
    for (const id of reviewedTaskIds(task).slice(0, TEAM_LIMITS.promptListRows)) {
      const judged = view.task(id);
      const changes = judged && (await workOf(this.context, judged, TEAM_LIMITS.promptDiffBytes + 1));
      if (changes) works.push({ task: id, changes });
    }
    return works;
  }

  async functions(): Promise<PromptFacts['functions']> {
    const listing = await this.tryGet('functions', () => list.run(this.context, {}));
    return listing?.functions.map(({ id, name, description }) => {
      const about = description ?? name;
      return { id, ...(about === undefined ? {} : { description: about }) };
    });
  }

  async messages({ id }: Task): Promise<PromptFacts['messages']> {
    const unread = await this.tryGet('messages', async () => (await this.context.mail()).unreadTalk(1, id));
    return unread?.[0]?.messages.map(({ sender_name: from, created_at, body: text, priority }) => ({
      from,
      at: timestamp(created_at),
      text,
      urgent: priority === 'urgent',
    }));
  }

  async team(view: GraphView, task: Task): Promise<PromptFacts['team']> {
    return await this.tryGet('the team', () => teamFacts(this.context, view, task));
  }

  /** Does not use `tryGet`: without its conversations and rosters an attempt must not start. */
  mail(view: GraphView, task: Task): Promise<TurnMail | undefined> {
    return turnMail(this.context, view, task);
  }

  /** Learnings of the member and decisions of its team. */
  async memory({ member }: Task): Promise<PromptFacts['memory']> {
    const slug = member === undefined ? undefined : folderSlug(member);
    return await this.tryGet('memory', () => briefingFor(this.context, slug));
  }

  async projectName(): Promise<string> {
    const folder = path.basename(this.context.projectFolder);
    const squad = await this.tryGet('team.md', async () => (await this.context.squad()).texts());
    return projectName(readTeamFile(squad?.get(TEAM_MD)), folder);
  }

  /** Files with identical text (one may link to the other) count once. */
  async rules(groups: KnownAttempt['rules']): Promise<PromptFacts['rules']> {
    const filesByText = new Map<string, string>();
    for (const group of groups) {
      for (const file of group) {
        const text = await this.text(file, TEAM_LIMITS.promptRulesBytes);
        if (!text?.trim()) continue;
        if (!filesByText.has(text)) filesByText.set(text, file);
        break;
      }
    }
    return [...filesByText].map(([text, file]) => ({ file, text }));
  }

  /** Reads one byte more than the maximum, which makes truncation detectable. */
  text(file: string, most: number): Promise<string | undefined> {
    return this.tryGet(file, async () => (await this.context.files()).text(file, most + 1));
  }

  private async tryGet<Value>(what: string, get: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await get();
    } catch (error) {
      this.warnings.push(`${what}: ${asTroupeError(error).message}`);
      return undefined;
    }
  }
}
