export { miniLM } from './encoders/mini-lm.js';
