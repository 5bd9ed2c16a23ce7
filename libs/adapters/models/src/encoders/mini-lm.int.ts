import { encoderContract } from '@postmaster/testing/suites';
import { miniLM } from './mini-lm.js';

encoderContract('The bundled MiniLM', () => miniLM({ threads: 2 }));
