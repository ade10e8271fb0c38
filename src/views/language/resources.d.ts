import type account from '../../../locales/en/account.json';
import type clinics from '../../../locales/en/clinics.json';
import type edit from '../../../locales/en/edit.json';
import type failure from '../../../locales/en/failure.json';
import type importTexts from '../../../locales/en/import.json';
import type importDecide from '../../../locales/en/import-decide.json';
import type modality from '../../../locales/en/modality.json';
import type newPatient from '../../../locales/en/new-patient.json';
import type patient from '../../../locales/en/patient.json';
import type roles from '../../../locales/en/roles.json';
import type search from '../../../locales/en/search.json';
import type setup from '../../../locales/en/setup.json';
import type shell from '../../../locales/en/shell.json';
import type signIn from '../../../locales/en/sign-in.json';
import type viewer from '../../../locales/en/viewer.json';
import type viewset from '../../../locales/en/viewset.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      account: typeof account;
      clinics: typeof clinics;
      edit: typeof edit;
      failure: typeof failure;
      import: typeof importTexts;
      'import-decide': typeof importDecide;
      modality: typeof modality;
      'new-patient': typeof newPatient;
      patient: typeof patient;
      roles: typeof roles;
      search: typeof search;
      setup: typeof setup;
      shell: typeof shell;
      'sign-in': typeof signIn;
      viewer: typeof viewer;
      viewset: typeof viewset;
    };
  }
}
