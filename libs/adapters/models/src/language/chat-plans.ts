import type { PlanModel } from '@postmaster/retrieval';
import { NEVER_AGAIN } from './ask-again.js';
import { askInForm, type CallSettings } from './ask-in-form.js';
import type { ChatServer } from './chat-server.js';

/** Query plans from a chat model, each asked for once. */
export const chatPlans = (server: ChatServer, settings: CallSettings = {}): PlanModel => {
  const ask = askInForm(server, { ...settings, again: NEVER_AGAIN });
  return {
    id: server.id,
    fill: (prompt, { reply: schema, ...form }, signal) => ask({ prompt, form, schema }, signal),
  };
};
