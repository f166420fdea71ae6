#!/usr/bin/env node
import { startFromCompiledCode } from './compiled-code.js';

startFromCompiledCode(); // before any other code is loaded
const [first, second, ...others] = process.argv.slice(2);
const isHook = first === 'hook' && second === 'check-handoffs' && others.length === 0;
(isHook ? import('#main/handoff-hook.js') : import('#main/command-line.js')).then(({ main }) => main());
