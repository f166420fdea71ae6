import { expect } from 'vitest';
import { LossSignal } from '#main/loss-signal.js';
import { verifies } from '../verifies.js';

verifies('fleet.elect', 'a lock that is lost before anyone listens is reported to the first listener, once', () => {
  const heard: string[] = [];
  const early = new LossSignal();
  early.raise();
  early.listen(() => heard.push('early'));
  early.raise();
  expect(heard).toEqual(['early']);
  const late = new LossSignal();
  late.listen(() => heard.push('late'));
  expect(heard, 'nothing is lost yet').toEqual(['early']);
  late.raise();
  late.raise();
  expect(heard).toEqual(['early', 'late']);
});
