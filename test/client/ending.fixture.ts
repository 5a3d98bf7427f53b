/** A document and its clients. */
import type { ClientOptions } from '@holdfast/client';
import type { ClientWorld } from './world.ts';

/** Creates a project with a document at version 1. Returns it with options for a client. */
export async function newDocument(world: ClientWorld) {
  const project = await world.newProject();
  const { apiKey } = await world.server.newApiKey(project);
  const client = await world.clientOf<{ publicState: { n: number } }>(project);
  await client.publicState.put({ n: 1 }, { ifVersion: null });
  const options: ClientOptions = {
    baseUrl: world.server.baseUrl,
    accountId: project.developer.accountId,
    project: project.slug,
    environment: 'production',
    auth: { apiKey },
  };
  return { client, options };
}
