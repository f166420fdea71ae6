import { type FormEvent, useState } from 'react';
import { formatMoney, inert, plural, shellWord } from '#kernel/text.js';
import { useAction } from '../../data/action.js';
import { act } from '../../data/api.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Decision } from '../../shell/Decision.js';
import { Failure } from '../../shell/Skeleton.js';
import { editCommand, type LineUpEdit, movedSeat, type Run, type Seat } from './runs.js';

/** The proposed line-up: can be accepted as it is, or edited seat by seat. */
export function LineUp({ run, onChange }: { readonly run: Run; onChange(): Promise<unknown> }) {
  const { seats, losses, steps, cost } = run;
  const [edit, setEdit] = useState<LineUpEdit>();
  const [added, setAdded] = useState('');
  const { busy, trouble, run: perform } = useAction();
  const refusal = useRefusal();
  const names = seats.map(({ name }) => name);
  const blocked = busy || refusal !== undefined;
  const change = (next: LineUpEdit) =>
    perform(async () => {
      setEdit(next);
      const copy = Object.fromEntries(Object.entries(next).map(([key, values]) => [key, [...values]]));
      await act('formation.edit', { run: run.run, ...copy }).finally(onChange);
    });
  const add = (event: FormEvent) => {
    event.preventDefault();
    void change({ add: [added.trim()] }).then(() => setAdded(''));
  };
  const people = steps.filter(({ who }) => who === 'person').length;
  const name = shellWord(inert(run.run));
  return (
    <section className="card waits" aria-label="Line-up">
      <h2>
        Line-up <span className="count">{plural(seats.length, 'seat')}</span>
      </h2>
      <ol className="seats">
        {seats.map((seat, index) => (
          <SeatLine
            key={seat.name}
            seat={seat}
            blocked={blocked}
            onDrop={seats.length === 1 ? undefined : () => void change({ drop: [seat.name] })}
            onUp={index === 0 ? undefined : () => void change({ order: movedSeat(names, index, -1) })}
            onDown={index === seats.length - 1 ? undefined : () => void change({ order: movedSeat(names, index, 1) })}
            onSave={(next) => void change(next)}
          />
        ))}
      </ol>
      <form className="add-seat" onSubmit={add}>
        <label className="field">
          Add a seat
          <input
            value={added}
            placeholder="skeptic"
            pattern="[a-z][a-z0-9\-]*"
            onChange={(event) => setAdded(event.target.value)}
          />
        </label>
        <button type="submit" disabled={blocked || added.trim() === ''}>
          Add
        </button>
        <CopyIcon text={editCommand(run.run, edit, (word) => shellWord(inert(word)))} />
      </form>
      {losses.length === 0 ? null : (
        <ul className="losses" aria-label="Consequences">
          {losses.map((loss) => (
            <li key={loss}>{inert(loss)}</li>
          ))}
        </ul>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
      <p>
        {plural(steps.length, 'task')}, {people} of them yours
        {cost === undefined ? '' : `, about ${formatMoney(cost.usd)}`}. Nothing runs yet.
      </p>
      {cost?.over === undefined ? null : (
        <p className="losses">The budget does not cover it: {inert(cost.over)}. You decide.</p>
      )}
      <Decision
        label="Accept the line-up"
        about={run.run}
        command={`troupe playbook accept ${name}`}
        primary
        act={async () => {
          await act('formation.start', { run: run.run });
          await onChange();
        }}
      />
    </section>
  );
}

function SeatLine(props: {
  readonly seat: Seat;
  readonly blocked: boolean;
  readonly onDrop: (() => void) | undefined;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  onSave(edit: LineUpEdit): void;
}) {
  const { seat, blocked, onDrop, onUp, onDown, onSave } = props;
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState(seat.name);
  const [tier, setTier] = useState(seat.tier ?? '');
  const name = inert(seat.name);
  const edit: LineUpEdit = {
    ...(role.trim() === seat.name || role.trim() === '' ? {} : { swap: [`${seat.name}=${role.trim()}`] }),
    ...(tier.trim() === (seat.tier ?? '') || tier.trim() === ''
      ? {}
      : { tier: [`${role.trim() || seat.name}=${tier.trim()}`] }),
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setOpen(false);
    if (Object.keys(edit).length > 0) onSave(edit);
  };
  return (
    <li className="seat">
      <div className="seat-words">
        <p>
          <strong>{name}</strong>
          {seat.phase === undefined || seat.phase === seat.name ? null : ` as ${inert(seat.phase)}`}{' '}
          <span className="muted">
            {seat.minted ? 'new role' : seat.core === undefined ? 'own row' : `core ${inert(seat.core)}`}, model{' '}
            {inert(seat.tier ?? 'default')}
          </span>
        </p>
        <p className="muted">{inert(seat.charter)}</p>
      </div>
      <div className="buttons">
        <button type="button" disabled={blocked || onUp === undefined} onClick={onUp} aria-label={`Move ${name} up`}>
          ↑
        </button>
        <button
          type="button"
          disabled={blocked || onDown === undefined}
          onClick={onDown}
          aria-label={`Move ${name} down`}
        >
          ↓
        </button>
        <button type="button" disabled={blocked} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Change<span className="unseen"> {name}</span>
        </button>
        <button type="button" disabled={blocked || onDrop === undefined} onClick={onDrop}>
          Drop<span className="unseen"> {name}</span>
        </button>
      </div>
      {isOpen ? (
        <form className="seat-form" onSubmit={save}>
          <label className="field">
            Role in this seat
            <input value={role} onChange={(event) => setRole(event.target.value)} />
          </label>
          <label className="field">
            Model
            <input value={tier} placeholder="default" onChange={(event) => setTier(event.target.value)} />
          </label>
          <button type="submit" disabled={blocked || Object.keys(edit).length === 0}>
            Save
          </button>
        </form>
      ) : null}
    </li>
  );
}
