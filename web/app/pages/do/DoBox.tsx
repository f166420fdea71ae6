import { type FormEvent, useState } from 'react';
import { asked } from './asked.js';

/** A goal in one line. Nothing is started here: the plan is shown first. */
export function DoBox() {
  const [goal, setGoal] = useState('');
  const plan = (event: FormEvent) => {
    event.preventDefault();
    asked.set({ goal: goal.trim() });
    setGoal('');
  };
  return (
    <form className="do-box" onSubmit={plan}>
      <label className="unseen" htmlFor="do-goal">
        What should be done?
      </label>
      <input
        id="do-goal"
        type="text"
        maxLength={2_000}
        placeholder="What should be done?"
        autoComplete="off"
        value={goal}
        onChange={({ target }) => setGoal(target.value)}
      />
      <button type="submit" className={goal.trim() === '' ? undefined : 'primary'}>
        Plan it
      </button>
    </form>
  );
}
