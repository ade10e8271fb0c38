import type about from '../../../locales/en/about.json';
import type account from '../../../locales/en/account.json';
import type azure from '../../../locales/en/azure.json';
import type bankId from '../../../locales/en/bank-id.json';
import type claims from '../../../locales/en/claims.json';
import type clinics from '../../../locales/en/clinics.json';
import type drafts from '../../../locales/en/drafts.json';
import type edit from '../../../locales/en/edit.json';
import type failure from '../../../locales/en/failure.json';
import type header from '../../../locales/en/header.json';
import type importTexts from '../../../locales/en/import.json';
import type importDecide from '../../../locales/en/import-decide.json';
import type interaction from '../../../locales/en/interaction.json';
import type lists from '../../../locales/en/lists.json';
import type log from '../../../locales/en/log.json';
import type modality from '../../../locales/en/modality.json';
import type newPatient from '../../../locales/en/new-patient.json';
import type patient from '../../../locales/en/patient.json';
import type resetPassword from '../../../locales/en/reset-password.json';
import type roleAdmin from '../../../locales/en/role-admin.json';
import type roles from '../../../locales/en/roles.json';
import type search from '../../../locales/en/search.json';
import type setup from '../../../locales/en/setup.json';
import type shell from '../../../locales/en/shell.json';
import type signIn from '../../../locales/en/sign-in.json';
import type twoFactor from '../../../locales/en/two-factor.json';
import type viewer from '../../../locales/en/viewer.json';
import type viewset from '../../../locales/en/viewset.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      about: typeof about;
      account: typeof account;
      azure: typeof azure;
      'bank-id': typeof bankId;
      claims: typeof claims;
      clinics: typeof clinics;
      drafts: typeof drafts;
      edit: typeof edit;
      failure: typeof failure;
      header: typeof header;
      import: typeof importTexts;
      'import-decide': typeof importDecide;
      interaction: typeof interaction;
      lists: typeof lists;
      log: typeof log;
      modality: typeof modality;
      'new-patient': typeof newPatient;
      patient: typeof patient;
      'reset-password': typeof resetPassword;
      'role-admin': typeof roleAdmin;
      roles: typeof roles;
      search: typeof search;
      setup: typeof setup;
      shell: typeof shell;
      'sign-in': typeof signIn;
      'two-factor': typeof twoFactor;
      viewer: typeof viewer;
      viewset: typeof viewset;
    };
  }
}
