import { type AppActor, selectSession } from '../machines/app/app.machine.ts';
import { selectIsSignedIn, selectSessionEnd, selectUser } from '../machines/session/session.machine.ts';
import type { Drafts } from '../services/drafts.ts';

const purgeMs = 10 * 60_000;

/** Drafts belong to who is signed in; whoever signs out of their own will leaves none. */
export const keepDrafts = (app: AppActor, drafts: Drafts): void => {
  let signedIn = false;
  selectSession(app.getSnapshot())?.subscribe((snapshot) => {
    const before = signedIn;
    signedIn = selectIsSignedIn(snapshot);
    const user = selectUser(snapshot);
    if (signedIn && !before && user) drafts.belongTo(user.id);
    // Also from a sign-in that could not be restored: nobody said a reason then but the person.
    const end = selectSessionEnd(snapshot);
    if (snapshot.matches('signingOut') && (end === 'wanted' || end === null)) drafts.forgetAll();
  });
  setInterval(drafts.purge, purgeMs);
};
