import { saveSetting } from '../../server/db/stores/setting-store.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import type { ServerDependencies } from '../../server/server-dependencies.ts';
import { addTwoClinics } from './clinic.ts';
import { testDatabase } from './database.ts';
import { startOpenId } from './openid-process.ts';
import { runServer } from './running-server.ts';
import { give, maja } from './upstream-flow.ts';

/** The real archive with SITHS, Azure AD and a clinic's own provider, all three in another process. Maja is the doctor of the first clinic. */
export const upstreamUnderTest = async (extra: Partial<ServerDependencies> = {}) => {
  const test = await testDatabase();
  const { db, database } = test;
  const clinic = await addTwoClinics(db);
  const elsewhere = await startOpenId();
  await saveSetting(db, 'azure-ad', elsewhere.azure, clinic.superId);
  const archive = (port = 0) =>
    runServer(database, { identity: readIdentitySettings(elsewhere.environment), ...extra }, port);
  let running = await archive();
  return {
    db,
    clinic,
    elsewhere,
    url: () => running.url,
    /** Stops the archive and starts another process at its address. */
    restart: async () => {
      const { port } = new URL(running.url);
      await running.close();
      running = await archive(Number(port));
    },
    giveMaja: () =>
      give(db, clinic.doctorId, {
        personal_number: maja.personalNumber,
        azure_username: maja.azureUsername,
        email: maja.email,
      }),
    close: async () => {
      await running.close();
      await elsewhere.close();
      await test.close();
    },
  };
};

export type UpstreamUnderTest = Awaited<ReturnType<typeof upstreamUnderTest>>;
