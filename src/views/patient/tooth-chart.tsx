import { Menu, UnstyledButton } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import { useTranslation } from 'react-i18next';
import { deciduousRows, permanentRows, toothNotations } from '../../../contract/teeth.ts';
import { useToothNotation, useToothText } from '../language/tooth-notation.ts';
import classes from './tooth-chart.module.css';

/** Which numbering the teeth are shown in, and a menu of the others. */
const NotationMenu = () => {
  const { t } = useTranslation('edit');
  const [notation, choose] = useToothNotation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.notation} aria-label={`${t('notation')}: ${t(notation)}`}>
          {t(notation)}
          <IconChevronDown aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('notation')}</Menu.Label>
        {toothNotations.map((name) => (
          <Menu.Item
            key={name}
            rightSection={name === notation ? <IconCheck aria-hidden="true" /> : null}
            aria-current={name === notation || undefined}
            onClick={() => choose(name)}
          >
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** The teeth of an image in the chart, as if facing the patient: the patient's right is at the left. */
export const ToothChart = ({ teeth }: { teeth: readonly number[] }) => {
  const { t } = useTranslation('patient');
  const toothText = useToothText();
  if (teeth.length === 0) return <p className={classes.none}>{t('noTeeth')}</p>;
  const rows = teeth.some((tooth) => tooth > 50)
    ? [...permanentRows.slice(0, 1), ...deciduousRows, ...permanentRows.slice(1)]
    : permanentRows;
  return (
    <div>
      <div className={classes.head}>
        <p className={classes.numbers}>{toothText(teeth)}</p>
        <NotationMenu />
      </div>
      <div className={classes.chart} aria-hidden="true">
        {rows.map((numbers) => (
          <div key={numbers[0]} className={classes.row}>
            {numbers.map((tooth) => (
              <span key={tooth} className={classes.tooth} data-shown={teeth.includes(tooth) || undefined} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};
