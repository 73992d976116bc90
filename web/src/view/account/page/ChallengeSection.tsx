/** Who may challenge the account by name, and to what. Each change is sent at once; one that fails is taken back. */
import { useState } from "preact/hooks";
import { sendJson } from "../../../net/api";
import { CATEGORIES, CHALLENGES_FROM, type ChallengeRules } from "../../../state/account";
import { useText } from "../../context";
import { useFetched } from "../../fetched";
import { NotThere, Section, useRequest } from "./Section";

const PATH = "/api/account/challenge-rules";

export function ChallengeSection() {
  const { challenges } = useText().account;
  const { fetched, again } = useFetched<ChallengeRules>(PATH);
  return (
    <Section title={challenges.title}>
      {fetched.state === "there" ? <Rules first={fetched.value} /> : <NotThere state={fetched.state} again={again} />}
    </Section>
  );
}

function Rules({ first }: { first: ChallengeRules }) {
  const { categories, challenges } = useText().account;
  const request = useRequest();
  const [rules, set] = useState(first);
  const change = async (part: Partial<ChallengeRules>): Promise<void> => {
    const wanted = { ...rules, ...part };
    set(wanted);
    if (!(await request(sendJson("PUT", PATH, wanted), challenges.saved))) set(rules);
  };
  return (
    <>
      <fieldset class="choice">
        <legend>{challenges.who}</legend>
        {CHALLENGES_FROM.map((from) => (
          <label key={from}>
            <input type="radio" name="from" checked={rules.from === from} onChange={() => void change({ from })} />
            <span>{challenges.from[from]}</span>
          </label>
        ))}
      </fieldset>
      {rules.from !== "nobody" && (
        <>
          <label class="check">
            <input
              type="checkbox"
              checked={rules.bots}
              onChange={(event) => void change({ bots: event.currentTarget.checked })}
            />
            <span>{challenges.bots}</span>
          </label>
          <fieldset class="checks">
            <legend>{challenges.categories}</legend>
            {CATEGORIES.map((category) => (
              <label key={category} class="check">
                <input
                  type="checkbox"
                  checked={rules.categories.includes(category)}
                  onChange={(event) =>
                    void change({
                      categories: CATEGORIES.filter((one) =>
                        one === category ? event.currentTarget.checked : rules.categories.includes(one),
                      ),
                    })
                  }
                />
                <span>{categories[category]}</span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </>
  );
}
