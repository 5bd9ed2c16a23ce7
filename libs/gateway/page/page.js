import { call } from './api.js';
import { showDocuments, startDocuments } from './documents.js';
import { find } from './elements.js';
import { labelPage } from './labels.js';
import { startQuestions } from './questions.js';

/** Signed in or not shows in whether the documents may be listed. */
const open = async () => {
  const signedIn = await showDocuments().then(
    () => true,
    () => false,
  );
  find('sign-in').hidden = signedIn;
  for (const id of ['ask', 'documents']) find(id).hidden = !signedIn;
  find('sign-out').hidden = !signedIn;
  if (signedIn) find('question').focus();
  else find('key').focus();
};

find('sign-in-form').onsubmit = async (event) => {
  event.preventDefault();
  const key = find('key').value.trim();
  try {
    await call('/sign-in', { method: 'POST', headers: { authorization: `Bearer ${key}` } });
    find('key').value = '';
    find('sign-in-fault').textContent = '';
    await open();
  } catch (error) {
    find('sign-in-fault').textContent = error.message;
  }
};

find('sign-out').onclick = async () => {
  await call('/sign-out', { method: 'POST' });
  location.reload();
};

labelPage();
startDocuments();
startQuestions();
await open();
