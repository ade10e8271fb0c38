import { archive, journey, type Proof, service, views } from './proofs.ts';

/** A line of the error catalogue: what a person reads then, and the tests that make it happen. */
export interface CatalogueLine {
  readonly situation: string;
  /** Key of the text (`namespace:key`) and how its English words begin; null where the line is a behaviour. */
  readonly texts: Readonly<Record<`${string}:${string}`, string>> | null;
  readonly proofs: readonly [Proof, ...Proof[]];
}

/** The error catalogue of the specification (section 8), line by line, and what else can go wrong in the product. */
export const catalogue: readonly CatalogueLine[] = [
  {
    situation: 'network error',
    texts: {
      'failure:offline': 'There is some problem with network. Please check your connection and proxy settings',
      'shell:opensByItself': 'The page opens by itself',
    },
    proofs: [
      journey(
        'errors',
        'a network failure is shown, the shell stays, and the requested page opens when the network is back',
      ),
      views('errors', 'while a list loads: shows the failure and retries on request'),
      views('errors', "while a page's code loads: shows it in place and opens the page by itself"),
      views('errors', "before the access log's code is loaded: shown like any failed call"),
      service('call', 'is offline when no server replies, and when the reply breaks off'),
    ],
  },
  {
    situation: 'server status 500 or above',
    texts: { 'failure:internal': 'There is some problem with remote server. Try again later' },
    proofs: [
      journey('errors', 'replies with 500 are reported and retried, and 401 renews the token silently'),
      views('errors', 'is shown to users of non-patient pages'),
      service('call', 'reports 5xx replies and replies of other servers as a server error'),
    ],
  },
  {
    situation: 'the archive has no database',
    texts: {
      'failure:database-unavailable': 'The archive’s database is not available. What you have typed is kept',
      'shell:databaseAway': 'The archive’s database is not available. The page continues by itself',
    },
    proofs: [
      journey(
        'database-outage',
        'a database outage is shown, typed text is preserved, and the page recovers without a new sign-in',
      ),
      views('database-toast', 'shows once that the database is unavailable, and then that it is back'),
      service(
        'database-outage',
        'is detected by the first call that fails, and checked as often as Retry-After says until it is over',
      ),
      archive('database-unavailable', 'every concurrent read succeeds or gets 503 while PostgreSQL restarts by %s'),
      archive(
        'start-after-kill',
        'continues after its database was killed, fails with 503 alone meanwhile, and ends no session',
      ),
    ],
  },
  {
    situation: '401: silent renewal of the token and a retry',
    texts: null,
    proofs: [
      journey('errors', 'replies with 500 are reported and retried, and 401 renews the token silently'),
      service('call', 'renews a rejected token once and repeats the call'),
    ],
  },
  {
    situation: '401 for good: signed out, to the ways to sign in',
    texts: null,
    proofs: [
      service('call', 'ends the session when the token cannot be renewed'),
      views('errors', 'with a rejected token leads to the sign-in page'),
    ],
  },
  {
    situation: 'patients, studies and images cannot be loaded or changed',
    texts: { 'patient:loadFailed': 'Internal server error, please try later' },
    proofs: [
      journey('errors', 'replies with 500 are reported and retried, and 401 renews the token silently'),
      views('errors', 'in a list of patients: shown as an internal error'),
      views('errors', 'in a patient: shown in place of the page, with a retry'),
      views('errors', "in a patient's studies: the patient stays, and the list shows it"),
      views('errors', 'in an image: shown as an internal error, and file errors by their code'),
    ],
  },
  {
    situation: 'about',
    texts: { 'about:dataLibraryMissing': 'The data library cannot be loaded or is not found' },
    proofs: [views('about', 'reports that the licence data failed to load, and retries')],
  },
  {
    situation: 'search of images',
    texts: { 'gallery:loadFailed': 'The data library cannot be loaded or is not found' },
    proofs: [views('gallery/gallery-page', 'is reported, and can be retried')],
  },
  {
    situation: 'sign-in: wrong name or password',
    texts: { 'failure:incorrect-login': 'Incorrect username or password' },
    proofs: [
      journey('sign-in', 'a wrong password is rejected with a message'),
      views('sign-in-list', 'reports wrong credentials and focuses the password'),
    ],
  },
  {
    situation: 'sign-in by BankID that comes to nothing',
    texts: { 'bank-id:hint-cancelled': 'Action cancelled', 'bank-id:failed-unknown': 'Unknown error' },
    proofs: [
      journey('sign-in-methods', 'BankID: a rejected order is reported and can be retried'),
      views('sign-in-bank-id', 'shows the reason, focuses "try again", and starts a new order'),
    ],
  },
  {
    situation: 'sign-in: no reply',
    texts: { 'sign-in:loginServer': 'Error connect to authentication server' },
    proofs: [
      views('sign-in-list', 'reports that the sign-in server is unreachable'),
      views('sign-in-visitor', 'returning from a provider keeps the URL until there is a reply'),
    ],
  },
  {
    situation: 'sign-in that fails while the account is loaded: signed out',
    texts: null,
    proofs: [views('errors', 'fails when the account cannot be loaded')],
  },
  {
    situation: 'session problem, with a way to begin anew',
    texts: {
      'shell:authorizationProblem': "There's some problem with authorization. Please, save your data and login again",
      'shell:restart': 'Restart',
    },
    proofs: [views('errors', 'with a rejected token leads to the sign-in page, with a way to begin anew')],
  },
  {
    situation: 'missing right',
    texts: { 'failure:no-right': 'You have no rights to do this' },
    proofs: [
      views('failure-text', 'names the missing right, or the alternatives'),
      views('errors', 'without a right shows which one is missing, and the rest of the app works'),
      journey('editing', 'new mounts from a template'),
    ],
  },
  {
    situation: 'viewset',
    texts: { 'patient:viewsetFailed': 'Error with loading viewset' },
    proofs: [views('errors', 'in a mount: shows that it failed to load, and opens it when it succeeds')],
  },
  {
    situation: 'thumbnail',
    texts: {
      'patient:thumbnailFailed': 'Error while generate thumbnail',
      'viewset:thumbnailFailed': 'Error while generate thumbnail',
    },
    proofs: [
      journey('errors', 'a thumbnail that fails to load is reported in its place'),
      views('viewset/mount', 'show that a thumbnail failed, until the image itself is drawn'),
    ],
  },
  {
    situation: 'import: the archive stumbled',
    texts: { 'import:resultFailed': 'Error while processing these files' },
    proofs: [views('import-page', 'reports an error during processing when the server failed')],
  },
  {
    situation: 'import: nothing in it can be had',
    texts: {
      'import:resultNothing': 'These files can not be imported',
      'failure:nothing-to-import': 'These files can not be imported',
    },
    proofs: [
      journey('import', 'an import of broken files only fails with a message and imports nothing'),
      views('import-page', 'reports that its files cannot be imported when all were rejected'),
    ],
  },
  {
    situation: 'import: a folder without DICOMDIR',
    texts: { 'import:noDirectory': 'Folder has not DICOMDIR file' },
    proofs: [views('import-page', 'reports a folder without a DICOMDIR, and imports its files only on request')],
  },
  {
    situation: 'field of the archive: length',
    texts: { 'new-patient:length': '{{min}} to {{max}} characters' },
    proofs: [
      views('edit/forms', 'sends nothing invalid, and focuses the first invalid field'),
      views('edit/forms', 'shows a rejected field at its field and focuses it'),
    ],
  },
  {
    situation: 'field of the archive: required',
    texts: { 'sign-in:required': 'This field are required', 'users:required': 'This field are required' },
    proofs: [views('sign-in-list', 'reports missing fields and sends nothing')],
  },
  {
    situation: 'field of the archive: passwords differ',
    texts: { 'password:differ': 'Entered passwords must match' },
    proofs: [
      views('sign-in-reset', 'requires equal entries, reported when they differ'),
      views('users', 'requires equal entries that meet the rules'),
    ],
  },
  {
    situation: 'field of the archive: e-mail address taken',
    texts: { 'failure:email-taken': 'This e-mail is already taken' },
    proofs: [
      archive('employees', 'has a unique e-mail address, ignoring case'),
      views('user-form', 'sends the version, and shows a taken address at its field'),
    ],
  },
  {
    situation: 'user not found',
    texts: { 'failure:user-not-found': 'User not found' },
    proofs: [views('users', 'report that the user no longer exists')],
  },
  {
    situation: 'no letter can be sent',
    texts: { 'failure:cannot-send-email': 'Cannot send email' },
    proofs: [
      views('users', 'report that the e-mail cannot be sent'),
      archive('mailer', 'reports an unreachable server at once to a waiting caller, and sends nothing later'),
    ],
  },
  {
    situation: 'a user cannot be created',
    texts: { 'users:createFailed': 'Cannot create a new user' },
    proofs: [views('users', 'report that a user cannot be created')],
  },
  {
    situation: 'a picture that is none',
    texts: { 'failure:picture-not-readable': 'Error while uploading image' },
    proofs: [
      views('user-form', 'uploads the picture after the details, which stay saved when the picture is rejected'),
    ],
  },
  {
    situation: 'anything else',
    texts: { 'failure:unexpected': 'oops something went wrong' },
    proofs: [views('sign-in-list', 'sees no text from an unknown problem code')],
  },
  {
    situation: 'set-password call: a toast with a line for each field key',
    texts: { 'password:rejected': 'The password was not accepted' },
    proofs: [views('users', 'shows a message for each rejected field in a toast')],
  },
  {
    situation: 'two-factor cannot be set up or turned on',
    texts: {
      'two-factor:setupFailed': 'Failed to setup two-factor authentication',
      'two-factor:turnOnFailed': 'Failed to turnOn two-factor authentication',
    },
    proofs: [
      views('two-factor', 'reports a failed setup, and retries'),
      views('two-factor', 'reports that turning on failed when the server is unreachable, and keeps the code'),
    ],
  },
  {
    situation: 'hub lost',
    texts: { 'shell:importDown': 'Import is not available' },
    proofs: [
      journey('errors', 'after loss of the hub connection, imports wait and say so until it is back'),
      views('shell', 'disables import while the hub is disconnected, and shows why'),
    ],
  },
  {
    situation: 'an upload is cut',
    texts: null,
    proofs: [
      journey('import-recovery', 'an import continues after the network fails during upload'),
      views('import-row', 'shows that it waits for the connection, without a remaining time'),
    ],
  },
  {
    situation: 'the archive is away while a user edits',
    texts: null,
    proofs: [journey('session', 'an edit survives a server outage')],
  },
  {
    situation: 'the archive is away when the page is opened',
    texts: { 'offline:title': 'No connection to the archive' },
    proofs: [journey('web-app', 'a page opened while the server is down says so, and opens when the server is back')],
  },
  {
    situation: 'a page that throws',
    texts: { 'shell:crashTitle': 'This page stopped working' },
    proofs: [
      views('errors', 'is shown in place with a report without patient data, and header and other pages work'),
      views('errors', 'beside the page is shown in a corner, and the page works'),
      views('error-boundary', 'contains no personal data'),
    ],
  },
  {
    situation: 'an image that cannot be shown',
    texts: { 'viewer:failedTitle': 'The image cannot be shown' },
    proofs: [views('viewer/viewer-workspace', 'shows why an image cannot be shown, and retries on a new stage')],
  },
];
