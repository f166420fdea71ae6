import { checkClaim } from '#core/graph/moves.js';
import { runFolder } from '#core/playbooks/formation.js';
import { SKEPTIC } from '#core/playbooks/panel.js';
import { checkDecision, readDecision } from '#core/playbooks/panel-decision.js';
import type { PanelNote } from '#core/playbooks/panel-note.js';
import {
  adoptedMoves,
  lastNotes,
  panelLogEntry,
  panelState,
  settleVotes,
  votesText,
} from '#core/playbooks/panel-steps.js';
import { checkedRecord, type FormationRecord, stepId } from '#core/playbooks/record.js';
import { endEvent } from '#core/playbooks/run-moves.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import { countVotes } from '#core/playbooks/unanimity.js';
import { panelResult } from '#core/roles/lane-life.js';
import { PANEL_WRITER } from '#core/roles/writers.js';
import { timestamp } from '#kernel/clock.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { keepOutcomes } from './lane-record.js';
import { handedIn, missingFile } from './run-files.js';
import type { Step } from './step-call.js';

async function votesOf(context: Pick<Context, 'formationFiles'>, record: FormationRecord) {
  const texts = new Map<string, string | undefined>();
  for (const [seat, name] of lastNotes(record))
    texts.set(seat, (await handedIn(context, record, name, PANEL_LIMITS.noteBytes)).text);
  return countVotes(texts);
}

/** Counts the votes; unanimity requires a steelman before the decision. */
export const unanimity: Step = async (context, record, call) => {
  const votes = await votesOf(context, record);
  const files = await context.formationFiles();
  const { settings } = await loadSettings(context);
  const tier = tiersOf(settings.coordinator.executor).at(-1);
  await files.write(runFolder('panel', record.run), 'votes.md', votesText(votes));
  const { result } = await (await context.graph()).commit(
    (view) => settleVotes(view, checkedRecord(view, record.run), { votes, tier }, call),
    context.request,
  );
  return {
    added: result.added,
    said: [
      votes.unanimous === undefined
        ? 'They do not all agree.'
        : 'All agree: the decision waits for the strongest case against.',
      ...votes.missing.map(({ seat, why }) => `The vote of ${seat} is missing: ${why}.`),
    ],
  };
};

/** Validates the decision, counts it for the rows whose notes it adopted, and appends a log entry. */
export const panelLog: Step = async (context, record, { now, by }) => {
  const store = await context.graph();
  const view = await store.view();
  const file = await handedIn(context, record, 'decision.md', PANEL_LIMITS.decisionBytes);
  if (file.text === undefined) {
    throw missingFile('decision_incomplete', { view, record, name: 'decision.md', problem: file.problem });
  }
  const steelmanFile = await handedIn(context, record, 'steelman.md', PANEL_LIMITS.noteBytes);
  if (steelmanFile.text === undefined && view.task(stepId(record.run, 'steelman'))?.status === 'done')
    throw missingFile('steelman_missing', { view, record, name: 'steelman.md', problem: steelmanFile.problem });
  const decision = readDecision(
    file.text,
    record.seats.map(({ name }) => name),
  );
  const steelman = checkDecision(decision, panelState(view, record, steelmanFile.text !== undefined));
  const { notes } = await votesOf(context, record);
  const date = timestamp(now).slice(0, 10);
  const adopted = adoptedMoves(record, decision);
  const argued = view.task(stepId(record.run, 'steelman'))?.status === 'done' && steelman.startsWith('ran');
  const entry = panelLogEntry(record, { date, decision, notes, steelman });
  const rows = record.seats.map(({ name }) => ({
    name,
    result: panelResult({ adopted: adopted.get(name) ?? 0, steelman: argued && name === SKEPTIC }),
    ...lessonOf(notes.get(name)),
  }));
  await keepOutcomes(context, PANEL_WRITER, record, rows, () => entry);
  await store.commit((latest) => {
    checkClaim(latest, by);
    const ended = checkedRecord(latest, record.run);
    return { events: [endEvent(latest, ended, 'decided', { now, actor: by.name })], result: undefined };
  }, context.request);
  return { added: [], said: [`Steelman: ${steelman}`] };
};

function lessonOf(note: PanelNote | undefined): { readonly lesson?: string } {
  return note?.lesson === undefined ? {} : { lesson: note.lesson };
}
