import { useTranslation } from 'react-i18next';
import type { Language } from '../language/languages.ts';
import { BankIdOrder } from './bank-id-order.tsx';
import { InteractionFrame } from './interaction-frame.tsx';
import { TestServer } from './test-server.tsx';
import { useInteraction } from './use-interaction.ts';

/** Sign-in by BankID. */
export const BankIdPage = ({ uid, onLanguage }: { uid: string; onLanguage: (language: Language) => void }) => {
  const { t } = useTranslation('bank-id');
  const interaction = useInteraction(uid);
  return (
    <InteractionFrame interaction={interaction} title={t('title')} step="bank-id" onLanguage={onLanguage}>
      <TestServer method="bankid" />
      <BankIdOrder
        uid={uid}
        onProved={interaction.proved}
        onFailure={interaction.failed}
        onLeave={interaction.chooseAnother}
      />
    </InteractionFrame>
  );
};
