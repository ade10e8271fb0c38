export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** Parses the text format of Prometheus. */
export const readMetrics = (text: string) => {
  const lines = text.split('\n').filter((line) => line !== '');
  const samples = lines.flatMap((line): Sample[] => {
    const [, name = '', labels = '', value = ''] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === '') return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
    return [
      { name, labels: Object.fromEntries(pairs), value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) },
    ];
  });
  const helps = new Map(
    lines.flatMap((line) => {
      const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, help] as const];
    }),
  );
  const families = lines.flatMap((line): Family[] => {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, type, help: helps.get(name) ?? '' }];
  });
  return {
    samples,
    families,
    /** Returns the value of the sample with these labels (others may be there too); undefined when it is absent. */
    value: (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
      samples.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, expected]) => sample.labels[label] === expected),
      )?.value,
  };
};
