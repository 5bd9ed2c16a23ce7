import { describe, expect, it } from 'vitest';
import { composeServices } from './compose-file.js';
import { containersOf, workloadsIn } from './manifest.js';
import { renderKustomization } from './render-kustomization.js';
import { isThere, readText } from './repository.js';

const ENTRY = /^apps\/([a-z-]+)\/dist\/main\.js$/;
const dockerfile = readText('Dockerfile');

describe('the image', () => {
  it('runs entries that the apps have', () => {
    const pods = workloadsIn(renderKustomization('k8s/overlays/production')).flatMap(containersOf);
    const commands = [
      ...pods.map(({ command }) => command as string[]),
      ...composeServices().flatMap(({ raw, command }) => (raw.build && command[0] !== 'postmaster' ? [command] : [])),
      JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[],
    ];
    expect(commands).toHaveLength(17);
    for (const [program, entry = ''] of commands) {
      expect([program, entry]).toEqual(['node', expect.stringMatching(ENTRY)]);
      expect([entry, isThere(`apps/${ENTRY.exec(entry)?.[1]}/src/main.ts`)]).toEqual([entry, true]);
    }
  });

  it('is made of folders that its context has', () => {
    const context = readText('.dockerignore');
    const copied = [...dockerfile.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, from = '']) =>
      from.split(' '),
    );
    for (const path of copied.map((one) => one.replace('/app/', ''))) {
      expect([path, isThere(path)]).toEqual([path, true]);
      if (path !== 'node_modules') expect(context).toContain(`!${path}\n`);
    }
    expect(context.startsWith('#')).toBe(true);
    expect(context).toMatch(/^\*$/m);
    expect(context).toContain('**/.env\n');
  });

  it('takes along what is read beside the code that runs: schemas and prompts', () => {
    for (const path of ['libs/enrichment/prompts/facets/en.md', 'libs/enrichment/src/nest/schema.graphql'])
      expect([path, isThere(path)]).toEqual([path, true]);
    const removed = [...dockerfile.matchAll(/-name '\*(\.\w+)'/g)].map(([, ending]) => ending);
    expect(removed).toEqual(['.ts', '.map']);
    expect(readText('.dockerignore')).not.toMatch(/\*\.(?:md|graphql)/);
  });

  it('is run by a plain user, on the newest Node LTS', () => {
    expect(dockerfile.match(/^FROM .+$/gm)).toEqual([
      'FROM node:24-bookworm-slim AS build',
      'FROM node:24-bookworm-slim',
    ]);
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nUSER '));
    expect(last).toMatch(/^\nUSER 10001:10001\n/);
    expect(last).not.toMatch(/^(RUN|COPY|ADD) /m);
  });
});
