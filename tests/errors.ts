import { archive, journey, type Proof, service, views } from './proofs.ts';

/** A line of the error catalogue: what a person reads then, and the tests that make it happen. */
export interface CatalogueLine {
  readonly situation: string;
  /** Key of the text (`namespace:key`) and how its English words begin; null where the line is a behaviour. */
  readonly says: Readonly<Record<`${string}:${string}`, string>> | null;
  readonly proofs: readonly [Proof, ...Proof[]];
}

/** The error catalogue of the specification (section 8), line by line, and what else can go wrong in the product. */
export const catalogue: readonly CatalogueLine[] = [
  {
    situation: 'network error',
    says: {
      'failure:offline': 'There is some problem with network. Please check your connection and proxy settings',
      'shell:comesLate': 'The page opens by itself',
    },
    proofs: [
      journey('errors', 'the network is cut'),
      views('errors', 'while a list is read'),
      views('errors', 'while the page itself is fetched'),
      views('errors', 'before what reads the access log was fetched'),
      service('call', 'is offline when nobody answers'),
    ],
  },
  {
    situation: 'server status 500 or above',
    says: { 'failure:internal': 'There is some problem with remote server. Try again later' },
    proofs: [
      journey('errors', 'the archive answers 500 and 401'),
      views('errors', 'is told to whoever reads what is no patient’s'),
      service('call', 'tells a broken server, whoever answers in its place'),
    ],
  },
  {
    situation: '401: silent renewal of the token and a retry',
    says: null,
    proofs: [
      journey('errors', 'the archive answers 500 and 401'),
      service('call', 'renews a refused token once and asks again'),
    ],
  },
  {
    situation: '401 for good: signed out, to the ways to sign in',
    says: null,
    proofs: [
      service('call', 'says that the session is over when the token cannot be renewed'),
      views('errors', 'whose token the archive takes no more'),
    ],
  },
  {
    situation: 'patients, studies and images cannot be loaded or changed',
    says: { 'patient:loadFailed': 'Internal server error, please try later' },
    proofs: [
      journey('errors', 'the archive answers 500 and 401'),
      views('errors', 'over a list of patients'),
      views('errors', 'over a patient'),
      views('errors', 'over the studies of a patient'),
      views('errors', 'over an image'),
    ],
  },
  {
    situation: 'about',
    says: { 'about:dataLibraryMissing': 'The data library cannot be loaded or is not found' },
    proofs: [views('about', 'says that the data library is away')],
  },
  {
    situation: 'search of images',
    says: { 'gallery:loadFailed': 'The data library cannot be loaded or is not found' },
    proofs: [views('gallery/gallery-page', 'is told of, and asked again')],
  },
  {
    situation: 'sign-in: wrong name or password',
    says: { 'failure:incorrect-login': 'Incorrect username or password' },
    proofs: [
      journey('sign-in', 'a wrong password is told in words and keeps the person out'),
      views('sign-in-list', 'says that name or password is wrong'),
    ],
  },
  {
    situation: 'sign-in by BankID that comes to nothing',
    says: { 'bank-id:hint-cancelled': 'Action cancelled', 'bank-id:failed-unknown': 'Unknown error' },
    proofs: [
      journey('sign-in-methods', 'BankID: who says no in the app is told so'),
      views('sign-in-bank-id', 'says why, with the focus on trying again'),
    ],
  },
  {
    situation: 'sign-in: nobody answers',
    says: { 'sign-in:loginServer': 'Error connect to authentication server' },
    proofs: [
      views('sign-in-list', 'says that the sign-in server cannot be reached'),
      views('sign-in-visitor', 'who comes back from elsewhere without an answer'),
    ],
  },
  {
    situation: 'sign-in that fails while the account is loaded: signed out',
    says: null,
    proofs: [views('errors', 'that goes bad while the account is loaded')],
  },
  {
    situation: 'session problem, with a way to begin anew',
    says: {
      'shell:authorizationProblem': "There's some problem with authorization. Please, save your data and login again",
      'shell:restart': 'Restart',
    },
    proofs: [views('errors', 'whose rights were changed is over'), journey('session', 'what was being typed when')],
  },
  {
    situation: 'missing right',
    says: { 'failure:no-right': 'You have no rights to do this' },
    proofs: [
      views('failure-text', 'says which right is missing'),
      views('errors', 'that may not see a page'),
      journey('editing', 'new mounts from a template'),
    ],
  },
  {
    situation: 'viewset',
    says: { 'patient:viewsetFailed': 'Error with loading viewset' },
    proofs: [views('errors', 'over a mount')],
  },
  {
    situation: 'thumbnail',
    says: {
      'patient:thumbnailFailed': 'Error while generate thumbnail',
      'viewset:thumbnailFailed': 'Error while generate thumbnail',
    },
    proofs: [journey('errors', 'a thumbnail that cannot be had'), views('viewset/mount', 'is that a thumbnail failed')],
  },
  {
    situation: 'import: the archive stumbled',
    says: { 'import:resultFailed': 'Error while processing these files' },
    proofs: [views('import-page', 'because the archive stumbled')],
  },
  {
    situation: 'import: nothing in it can be had',
    says: {
      'import:resultNothing': 'These files can not be imported',
      'failure:nothing-to-import': 'These files can not be imported',
    },
    proofs: [
      journey('import', 'nothing but broken files fails in words'),
      views('import-page', 'because no file of it can be had'),
    ],
  },
  {
    situation: 'import: a folder without DICOMDIR',
    says: { 'import:noDirectory': 'Folder has not DICOMDIR file' },
    proofs: [views('import-page', 'says that a folder has no DICOMDIR')],
  },
  {
    situation: 'field of the archive: length',
    says: { 'new-patient:length': '{{min}} to {{max}} characters' },
    proofs: [views('edit/forms', 'sends nothing that breaks a rule'), views('edit/forms', 'shows a refused field')],
  },
  {
    situation: 'field of the archive: required',
    says: { 'sign-in:required': 'This field are required', 'people:required': 'This field are required' },
    proofs: [views('sign-in-list', 'asks for what is missing at its field')],
  },
  {
    situation: 'field of the archive: passwords differ',
    says: { 'password:differ': 'Entered passwords must match' },
    proofs: [views('sign-in-reset', 'must be the same twice'), views('people', 'must be the same twice')],
  },
  {
    situation: 'field of the archive: e-mail address taken',
    says: { 'failure:email-taken': 'This e-mail is already taken' },
    proofs: [
      archive('employees', 'has an e-mail address that nobody else has'),
      views('people', 'names the edition that was seen'),
    ],
  },
  {
    situation: 'user not found',
    says: { 'failure:user-not-found': 'User not found' },
    proofs: [views('people', 'is that the user is not there any more')],
  },
  {
    situation: 'no letter can be sent',
    says: { 'failure:cannot-send-email': 'Cannot send email' },
    proofs: [views('people', 'is that no e-mail can be sent'), archive('mail', 'that is away is told at once')],
  },
  {
    situation: 'a user cannot be created',
    says: { 'people:createFailed': 'Cannot create a new user' },
    proofs: [views('people', 'is that a new user cannot be created')],
  },
  {
    situation: 'a picture that is none',
    says: { 'failure:picture-not-readable': 'Error while uploading image' },
    proofs: [views('people', 'sends a chosen picture after the details')],
  },
  {
    situation: 'anything else',
    says: { 'failure:unexpected': 'oops something went wrong' },
    proofs: [views('sign-in-list', 'is never shown a code that is no code of ours')],
  },
  {
    situation: 'set-password call: a toast with a line for each field key',
    says: { 'people:passwordRefused': 'The password was not accepted' },
    proofs: [views('people', 'is refused with a message for each field key')],
  },
  {
    situation: 'two-factor cannot be set up or turned on',
    says: {
      'two-factor:setupFailed': 'Failed to setup two-factor authentication',
      'two-factor:turnOnFailed': 'Failed to turnOn two-factor authentication',
    },
    proofs: [views('two-factor', 'says that a setup failed'), views('two-factor', 'says that turning on failed')],
  },
  {
    situation: 'hub lost',
    says: { 'shell:importDown': 'Import waits' },
    proofs: [journey('errors', 'the hub is lost'), views('shell', 'bars importing while the archive cannot tell')],
  },
  {
    situation: 'an upload is cut',
    says: null,
    proofs: [
      journey('import-through-faults', 'the network is cut while files are sent'),
      views('import-row', 'waits for the connection in words'),
    ],
  },
  {
    situation: 'the archive is away while somebody edits',
    says: null,
    proofs: [journey('session', 'a server that is away while somebody edits costs nothing')],
  },
  {
    situation: 'the archive is away when the page is opened',
    says: { 'offline:title': 'No contact with the archive' },
    proofs: [journey('web-app', 'a page that is opened while nobody answers says so')],
  },
  {
    situation: 'a page with a fault',
    says: { 'shell:crashTitle': 'This page stopped working' },
    proofs: [
      views('errors', 'says so in its place, offers a report without patient data'),
      views('errors', 'beside the page is told in a corner'),
      views('error-boundary', 'says nothing about anybody'),
    ],
  },
  {
    situation: 'an image that cannot be shown',
    says: { 'viewer:failedTitle': 'The image cannot be shown' },
    proofs: [views('viewer/reading-room', 'says why an image cannot be shown')],
  },
];
