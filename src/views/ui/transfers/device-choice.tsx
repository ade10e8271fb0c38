import '@mantine/core/styles/Radio.css';
import { Radio } from '@mantine/core';
import classes from './transfers.module.css';

interface DeviceChoiceProps {
  readonly devices: readonly { readonly id: string; readonly name: string; readonly aeTitle: string }[];
  readonly label: string;
  readonly description?: string;
  /** Id of the chosen device. */
  readonly value: string | null;
  readonly onChange: (id: string) => void;
}

/** Chooses one of the DICOM devices of a clinic. */
export const DeviceChoice = ({ devices, ...group }: DeviceChoiceProps) => (
  <Radio.Group {...group}>
    <div className={classes.choices}>
      {devices.map(({ id, name, aeTitle }) => (
        <Radio key={id} value={id} label={name} description={aeTitle} />
      ))}
    </div>
  </Radio.Group>
);
