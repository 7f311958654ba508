"""The words in which fact checkers rate claims, by what they come to in our verdicts.

Written from the public scales of PolitiFact, Snopes, the Washington Post, Full Fact, AFP, dpa, Correctiv, Maldita,
Newtral, Chequeado, Aos Fatos, Lupa, Pagella Politica, Demagog, Teyit, Alt News and Rappler. What is true on the whole
but needs adding to, or misleads, is partially true; what is false on the whole is contradicted. Kept as they are
folded: lower case, no accents, no hyphens.
"""

from __future__ import annotations

from inquest.domain.assessment import Verdict
from inquest.text.sentences import fold

__all__ = ["NO_VERDICT", "RATINGS", "folded"]


# Letters that are no other letter with an accent, as people without them on their keyboards write them.
_WHOLE_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe"})


def folded(words: str) -> str:
    """As the table has them: `fold`ed, hyphens and underscores as spaces, on one line."""
    return " ".join(fold(words).translate(_WHOLE_LETTERS).replace("-", " ").replace("_", " ").split())


_VERIFIED = """
true | completely true | entirely true | correct | accurate | confirmed | verified | legit | factual
| correct attribution | geppetto checkmark | fact | vrai | c'est vrai | exact | verifie | avere | confirme
| wahr | richtig | stimmt | zutreffend | korrekt | grosstenteils bestatigt | bestatigt | verdadero | cierto
| correcto | es verdad | verdad | confirmado | verdadera | cert | veritat | egia | verdadeiro | verdade
| correto | comprovado | e verdade | vero | corretto | confermato | waar | klopt | juist | sant | stammer
| sann | ratt | sandt | tosi | totta | oikein | prawda | prawdziwe | pravda | pravdive | pravdiva | igaz
| valos | adevarat | corect | верно | правда | истина | истинно | вярно | точно | tocno | istina | istinito
| resnicno | drzi | αληθες | αληθεια | αληθης | σωστο | dogru | tiesa | tode | oige | صحيح | صحيحة | حقيقي
| درست | נכון | אמת | सच | सही | सत्य | সত্য | সঠিক | benar | fakta | betul | dung | dung su that | จริง
| ข่าวจริง | 真実 | 正確 | 正确 | 真实 | 真 | 屬實 | 属实 | 사실 | totoo | ukweli | kweli | სიმართლე
| правдива | правдиве
"""
_PARTIAL = """
mostly true | half true | partly true | partially true | partly false | partially false | mixture | mixed
| half truth | mostly correct | mostly accurate | partly correct | partially correct | misleading
| missing context | lacks context | needs context | out of context | context needed | exaggerated
| exaggeration | overstated | cherry picked | cherry picking | spins the facts | distorts the facts
| half true half false | one pinocchio | two pinocchios | mixed evidence | imprecise | inaccurate in part
| true with caveats | lacking context | not the whole story | plutot vrai | a moitie vrai
| partiellement vrai | partiellement faux | en partie vrai | en partie faux | trompeur | trompeuse
| contexte manquant | manque de contexte | hors contexte | hors de son contexte | sorti de son contexte
| exagere | c'est plus complique | a nuancer | imprecis | mi vrai mi faux | teilweise wahr
| teilweise falsch | teils falsch | teils richtig | grosstenteils wahr | grosstenteils richtig
| uberwiegend richtig | irrefuhrend | irrefuhrende | fehlender kontext | ohne kontext | kontext fehlt
| halb wahr | unvollstandig | ubertrieben | richtig mit einschrankung | aus dem kontext gerissen | enganoso
| enganosa | enganyos | mayormente cierto | parcialmente cierto | parcialmente falso | medias verdades
| media verdad | verdad a medias | falta contexto | sin contexto | fuera de contexto | sacado de contexto
| exagerado | verdadero pero | discutible | apresurado | mezcla | impreciso | distorcido | distorcida
| fora de contexto | sem contexto | falta de contexto | meia verdade | parcialmente verdadeiro | exagerada
| nao e bem assim | quase verdadeiro | parzialmente vero | parzialmente falso | fuorviante | ingannevole
| manca contesto | fuori contesto | contesto mancante | mezza verita | c'eri quasi | ni | imprecisa
| deels waar | gedeeltelijk waar | deels onwaar | gedeeltelijk onwaar | misleidend | mist context
| grotendeels waar | delvis sant | delvis falskt | missvisande | vilseledande | delvis korrekt | villedende
| misvisende | vildledende | delvist sandt | harhaanjohtava | osittain totta | czesciowo prawda
| czesciowo falsz | polprawda | wprowadza w blad | manipulacja | brak kontekstu | zavadejici | zavadzajuce
| polopravda | castecne pravda | felrevezeto | reszben igaz | inselator | partial adevarat | partial fals
| trunchiat | lipsa de context | заблуждаващо | подвеждащо | частично вярно | полуправда | полуистина
| частично правда | вводит в заблуждение | вырвано из контекста | маніпуляція | напівправда | манипуляция
| перебільшення | obmanjujuce | obmanjujuca | poluistina | djelimicno tacno | delimicno tacno | obmana
| manipulisanje cinjenicama | παραπλανητικο | εν μερει αληθες | μισοαληθεια | yaniltici | karma
| kismen dogru | eksik | مضلل | مضللة | صحيح جزئيا | صحيح جزئياً | زائف جزئيا | نصف صحيح | گمراه کننده
| نیمه درست | מטעה | נכון חלקית | חצי אמת | भ्रामक | आधा सच | आंशिक सच | আংশিক সত্য | বিভ্রান্তিকর
| menyesatkan | sebagian benar | sebagian salah | konteks salah | konten yang menyesatkan | mengelirukan
| mot phan | บิดเบือน | ทำให้เข้าใจผิด | 誤導 | 误导 | 误导性 | 部分正確 | 部分错误 | 部分錯誤 | 半真半假
| 事實釐清 | ミスリード | 不正確 | ほぼ正確 | 대체로 사실 | 절반의 사실 | 일부 사실 | 사실 반 거짓 반
| nakakapanlinlang | kulang sa konteksto
"""
_CONTRADICTED = """
false | mostly false | completely false | totally false | entirely false | is false | this is false
| pants on fire | pants on fire! | barely true | incorrect | inaccurate | wrong | untrue | not true | fake
| fake news | hoax | debunked | altered | altered photo | altered video | altered image | altered media
| altered content | doctored | doctored photo | doctored image | doctored video | digitally altered
| manipulated | manipulated media | manipulated photo | manipulated image | manipulated video | edited
| fabricated | fabricated content | fabricated quote | miscaptioned | misattributed | misidentified
| false context | false headline | false attribution | false claim | imposter content | impostor content
| deepfake | ai generated | ai generated content | generated by ai | four pinocchios | three pinocchios
| bottomless pinocchio | disinformation | misinformation | refuted | not correct | incorrect attribution
| conspiracy theory | distorted | faux | c'est faux | totalement faux | plutot faux | infox | intox
| inexact | fabrique | photo truquee | photomontage | montage | video manipulee | manipule | canular
| image detournee | photo detournee | video detournee | detourne | detournement | genere par ia
| desinformation | falsch | uberwiegend falsch | grosstenteils falsch | frei erfunden | erfunden
| manipuliert | falschmeldung | unwahr | stimmt nicht | gefalscht | nicht wahr | falscher kontext
| ki generiert | falschung | falso | falsa | es falso | bulo | mentira | mayormente falso | manipulado
| manipulada | incorrecto | inventado | imagen manipulada | video manipulado | falsos | fals
| contexto falso | montaje | desinformacion | e falso | e mentira | nao e verdade | incorreto | fabricado
| adulterado | montagem | conteudo falso | falsa atribuicao | boato | e falso che | bufala | sbagliato
| pinocchio andante | panzana pazzesca | fotomontaggio | manipolato | notizia falsa | immagine manipolata
| contenuto manipolato | inventata | falsita | onwaar | vals | niet waar | nepnieuws | nep | gemanipuleerd
| verzonnen | grotendeels onwaar | bewerkt | falskt | falsk | feil | helt feil | faktisk helt feil | usant
| forkert | vaarin | vale | ei pida paikkaansa | totta ei | manipulerad | manipulert | manipuleret
| manipuloitu | falsz | falszywe | nieprawda | zmanipulowane | fotomontaz | nepravda | lez | nepravdive
| hamis | nem igaz | altatas | kitalacio | atveres | neadevarat | dezinformare | ложь | фейк | неправда
| фальшивка | невярно | фалшива новина | лъжа | неверно | фальсификация | не соответствует действительности
| неправда! | lazna vest | lazno | netacno | netocno | dezinformacija | lazna vijest | fotomontaza | laz
| ne drzi | neresnica | melas | netiesa | nepatiesi | ψευδες | ψευδης | ψεμα | ψευδη | ανακριβες
| παραποιημενο | yanlis | sahte | asilsiz | montaj | uydurma | خطأ | خاطئ | كاذب | كاذبة | زائف | زائفة
| غير صحيح | مفبرك | مفبركة | ملفق | نادرست | دروغ | جعلی | ساختگی | שקר | לא נכון | פייק | מפוברק | झूठ
| झूठा | गलत | फर्जी | फेक | असत्य | মিথ্যা | ভুয়া | ভুল | বিকৃত | salah | hoaks | palsu | tidak benar
| disinformasi | konten palsu | konten yang dimanipulasi | sai | sai su that | tin gia | gia mao
| khong dung | เท็จ | ข่าวปลอม | ไม่จริง | ปลอม | 虚假 | 錯誤 | 错误 | 假 | 謠言 | 谣言 | 不實 | 不实
| 假消息 | 假的 | 伪造 | 誤り | 虚偽 | 偽 | フェイク | 捏造 | ほぼ誤り | 거짓 | 사실 아님 | 전혀 사실 아님
| 대체로 거짓 | 허위 | hindi totoo | peke | huwad | uongo | si kweli | sio kweli | სიცრუე | ყალბი | брехня
| фейкова новина | неправдива | маніпулятивне фото
"""
_DISPUTED = """
disputed | contested | in dispute | conflicting evidence | experts disagree | conteste | controverse
| umstritten | strittig | disputado | controvertido | controverso | contestato | omstreden | omstritt
| omtvistad | sporny | sporne | vitatott | спорно | tartismali | متنازع عليه | 有爭議 | 有争议 | 논란
"""
_UNVERIFIED = """
unproven | unverified | not verified | unconfirmed | unsupported | unsubstantiated | no evidence
| lacks evidence | lacking evidence | no proof | not enough evidence | insufficient evidence | inconclusive
| unfounded | baseless | unknown | undetermined | cannot be verified | can't be verified
| research in progress | legend | rumor | rumour | cannot be proven | verdict pending | evidence lacking
| non prouve | non verifie | sans preuve | sans preuves | infonde | inverifiable | pas de preuve
| rien ne le prouve | unbelegt | unbewiesen | nicht belegt | keine belege | unbestatigt | nicht uberprufbar
| ohne beleg | unklar | no verificado | sin verificar | sin pruebas | no hay pruebas | no probado
| no comprobado | insostenible | inverificable | sem provas | nao comprovado | sem evidencias
| insustentavel | impossivel provar | nao ha provas | ainda e cedo para dizer | non verificato | non provato
| senza prove | non verificabile | infondato | non ci sono prove | onbewezen | niet bewezen | onbevestigd
| ongefundeerd | obekraftat | obevisat | ubekreftet | ikke bevist | udokumenteret | ei todisteita
| nieweryfikowalne | niepotwierdzone | bez dowodow | neoveritelne | neoverene | nem bizonyitott
| neverificabil | neproverljivo | neprovjerljivo | недоказано | не подтверждено | недоведено | непотвърдено
| αβασιμο | ατεκμηριωτο | kanitsiz | dogrulanmamis | belirsiz | supheli | غير مؤكد | غير مثبت | لا دليل
| تایید نشده | לא מוכח | अप्रमाणित | अपुष्ट | প্রমাণিত নয় | belum terbukti | tidak terbukti
| belum terverifikasi | chua xac minh | chua co can cu | ยังไม่ยืนยัน | 尚無定論 | 无法证实 | 未证实
| 證據不足 | 证据不足 | 根拠不明 | 根拠不足 | 판단 유보 | 확인 불가 | walang batayan | hakuna ushahidi
"""

NO_VERDICT = frozenset(
    folded(words)
    for words in """
satire | labeled satire | originated as satire | parody | humor | humour | joke | opinion | scam
| not a claim | no rating | parodie | satirique | detournement satirique | blague | satira | parodia
| ironia | broma | piada | satyr | not rated | not applicable | n/a | full flop | half flip | no flip
| flip flop | recall | lost legend | explainer | question | satirisch | satiir | satyra | szatira | сатира
| шутка | пародия | hiciv | parodi | ساخر | سخرية | סאטירה | व्यंग्य | ব্যঙ্গ | satire parody | satir
| เสียดสี | 讽刺 | 諷刺 | 풍자 | 風刺 | estafa | timo | arnaque | betrug | truffa | golpe | phishing
""".split("|")
)
"""What says nothing of truth: jokes, frauds, opinions, changes of mind. A number beside such a word means nothing."""


def _table() -> dict[str, Verdict]:
    lists = (
        (_UNVERIFIED, Verdict.UNVERIFIED),
        (_DISPUTED, Verdict.DISPUTED),
        (_PARTIAL, Verdict.PARTIALLY_TRUE),
        (_VERIFIED, Verdict.VERIFIED),
        (_CONTRADICTED, Verdict.CONTRADICTED),
    )
    return {folded(words): verdict for text, verdict in lists for words in text.split("|") if words.strip()}


RATINGS: dict[str, Verdict] = _table()
"""Folded rating words to verdict."""
