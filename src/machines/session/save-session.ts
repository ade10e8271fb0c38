import { type SessionActor, selectClinic, selectIsSignedIn, selectSessionEnd, selectUser } from './session.machine.ts';

/** What is stored in the tab for the signed-in user. */
export interface SessionStores {
  readonly chosenClinic: { readonly save: (clinicId: string | null) => void };
  readonly drafts: { readonly setOwner: (accountId: string) => void; readonly clear: () => void };
}

/** Saves the chosen clinic, and binds drafts to the signed-in account; a sign-out by the user removes them. */
export const saveSession = (session: SessionActor, { chosenClinic, drafts }: SessionStores): void => {
  let wasSignedIn = false;
  session.subscribe((snapshot) => {
    const signedIn = selectIsSignedIn(snapshot);
    const user = selectUser(snapshot);
    if (signedIn) chosenClinic.save(selectClinic(snapshot)?.id ?? null);
    if (signedIn && !wasSignedIn && user) drafts.setOwner(user.id);
    wasSignedIn = signedIn;
    // Without a reason the user signed out while the sign-in was being restored.
    const end = selectSessionEnd(snapshot);
    if (snapshot.matches('signingOut') && (end === 'requested' || end === null)) drafts.clear();
  });
};
