import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExamineOptions, type Patient, readPatient } from '../src/patient.js';

/** A patient of these variables alone, in a folder that is not there, with short time limits. */
export const patientOf = (env: Record<string, string> = {}, options: Partial<ExamineOptions> = {}): Patient =>
  readPatient({ env, cwd: join(tmpdir(), 'postmaster-doctor-nowhere'), limitMs: 2_000, ...options });
