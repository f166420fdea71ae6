#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';

// Node 22 and later can keep compiled code between starts, if told before the code is loaded. Node 20 cannot, and does
// without. It is kept in the temporary folder; where that is missing, Node may look for a way to make it for ever.
if (existsSync(tmpdir())) (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
import('#main/command-line.js').then(({ main }) => main());
