/** A form of words, and how much it tells that a text speaks to a language model: 2 is enough alone, 1 takes another. */
export interface InstructionSign {
  weight: 1 | 2;
  form: RegExp;
}

const said = (weight: 1 | 2, ...parts: string[]): InstructionSign => ({
  weight,
  form: new RegExp(parts.join('[^.!?\\n]{0,48}?'), 'iu'),
});
const words = (list: string): string =>
  `(?<![\\p{L}\\p{N}])(?:${list.replaceAll(' ', '[\\s_-]+').replaceAll(',', '|')})(?![\\p{L}\\p{N}])`;

const NOT = "(?<!(?:not|never|n[’']t|if you|who|ikke|aldrig|hvis du|hvis man|der) )";
const IGNORE = `${NOT}${words(
  "ignore,disregard,forget,override,bypass,overrule,do not follow,do not obey,don[’']t follow,stop following,ignorer,ignorér,se bort fra,bort fra,glem,tilsidesæt,overhør,følg ikke,lad være med at følge",
)}`;
const ALL_BEFORE = words(
  'all,any,every,your,previous,prior,above,earlier,preceding,former,system,original,initial,foregoing,alle,alt,dine,tidligere,foregående,ovenstående,forrige,ovennævnte,hidtidige,oprindelige',
);
const ORDERS =
  '(?<![\\p{L}])(?:(?:system)?prompts?|(?:system)?instru(?:ctions?|ks(?:er(?:ne)?|en)?|ktion(?:er(?:ne)?|en)?)|directi(?:ve|on)s?|guidelines?|guardrails?|safeguards?|(?:sikkerheds)?regler(?:ne)?|rules|anvisninger(?:ne)?|retningslinjer(?:ne)?|what you (?:were|have been) told|hvad du (?:har fået|fik|er blevet))(?![\\p{L}])';
const MODEL =
  '(?<![\\p{L}])(?:a\\.?i\\.?|ai[- ](?:assistants?|models?|systems?|agents?)|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt|claude|gemini|copilot|ai-(?:assistent(?:en)?|model(?:len)?|system(?:et)?)|(?:store? )?sprogmodel(?:len|ler|lerne)?|kunstig intelligens|virtual assistant|virtuel assistent)(?![\\p{L}])';
const SAY =
  'reply,respond,answer,say,write,repeat,output,print,emit,svar,besvar,skriv,sig,gentag,udskriv,svare,skrive,sige,gentage';
const PUT =
  'include,insert,append,add,embed,render,mention,put,begin,start,end,finish,state,use,quote,indsæt,tilføj,medtag,nævn,sæt,begynd,slut,afslut,brug,angiv,citer,indsætte,tilføje,nævne,medtage';
const REPLY = words(`${SAY},${PUT}`);
const PAYLOAD = words(
  'word,words,phrase,token,string,code word,codeword,password,canary,sentence,exact text,ord,ordet,ordene,udtrykket,sætningen,kodeordet,kodeord,strengen,markøren',
);
const LINKED = words('links?,images?,pictures?,urls?,markdown,address,linket,billede,billedet,adressen');
const ONLY = words(
  'only,exactly,nothing else,nothing but,verbatim,word for word,kun,udelukkende,præcis,nøjagtig,nøjagtigt,intet andet,ikke andet,ordret',
);
const DETERMINED = '(?:the|each|every|all|any|your|alle|hvert|hver|ethvert|enhver|dit|dine|det|den)\\s+';
const ANSWERS =
  'answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|verdicts?|svar|svaret|resum[eé](?:er|et)?|sammenfatning(?:er|en)?|opsummering(?:er|en)?|begrundelse[nr]?';
const EVERY_REPLY = `(?<![\\p{L}])(?:(?:in|into|to|at|with|as|i|til|med|som|af|of)\\s+(?:${DETERMINED}){1,2}(?:${ANSWERS})|(?:in|into|i)\\s+(?:${DETERMINED}){1,2}(?:questions?|search entr(?:y|ies)|facets?|contexts?|scopes?|spørgsmål|søgeposter))(?![\\p{L}])`;

/** What is said to a model in Danish and English, within one sentence; written after what is known of prompt injections. */
export const SENTENCE_SIGNS: readonly InstructionSign[] = [
  said(
    2,
    words('previous,prior,earlier,original,all prior,tidligere,foregående,hidtidige'),
    ORDERS,
    words(
      'void,suspended,deprecated,superseded,overridden,revoked,no longer apply,ugyldige,ophævet,ophæves,sat ud af kraft,gælder ikke',
    ),
  ),
  said(
    2,
    words('supersedes,replaces,overrides,erstatter,ophæver'),
    words('all,any,previous,prior,earlier,alle,tidligere,foregående'),
    ORDERS,
  ),
  said(
    1,
    `(?:${IGNORE}|${words('stop,stands')})`,
    words('task,analysis,review,summary,summarization,translation,opgave,opgaven,analysen,opsummeringen,oversættelsen'),
  ),
  said(
    1,
    `${REPLY}[^.!?\\n]{0,24}?${words('text,word,words,phrase,sentence,teksten,ordet,ordene,sætningen')}\\s*["'“”‘»«]`,
  ),
  said(1, `${words(SAY)}\\s+["'“‘»][^"'”’«\\n]{2,60}["'”’«]`),
  said(
    1,
    words('translate,summarise,summarize,oversæt,opsummer,opsummér'),
    words('this,it,dette,det'),
    words('as,som'),
    `["'“‘»]`,
  ),
  said(1, `(?:^|[.!?:"'“]\\s*)${MODEL}\\s*[-–—:,!]`),
  said(
    1,
    words(
      'goal change,new goal,new objective,new directive,new directives,updated directives,priority override,system update,configuration update,nyt mål,ny målsætning,systemopdatering',
    ),
  ),
  said(
    1,
    words('respond,reply,answer,comply,svar'),
    words('all,every,any,alle,ethvert'),
    words('queries,query,requests?,questions,prompts?,forespørgsler,anmodninger,spørgsmål'),
  ),
  said(
    1,
    words(
      'without refusal,without restriction,without content filtering,no longer bound,comply fully,uden afvisning,ikke længere bundet',
    ),
  ),
  said(
    1,
    words('your,din,dit'),
    words('system prompt,systemprompt,hidden instructions,initial instructions,skjulte instrukser'),
  ),
  said(
    1,
    `${IGNORE}\\s+(?:(?:the|de)\\s+)?(?:safety\\s+|ethical\\s+|content\\s+)?(?:${ORDERS}|${words('protocols,policies,constraints,filters')})`,
  ),
  said(1, words('do anything now,jailbreak,jailbroken,unrestricted mode,developer mode,dan mode,god mode')),
  said(
    1,
    words(
      "you are now,you[’']re now,from now on you,from this point forward you,du er nu,fra nu af er du,fra nu af skal du",
    ),
  ),
  said(
    1,
    words('instead,i stedet'),
    words('tell,output,reply,respond,say,write,show,reveal,send,email,fortæl,skriv,svar,sig,vis,send'),
  ),
  said(
    1,
    words('send,email,forward,post,upload,transmit,exfiltrate,videresend'),
    words(
      "user,users,user[’']s,database,data,confidential,password,passwords,contents,brugerens,fortrolige,adgangskode,adgangskoder",
    ),
    words('to,til'),
  ),
  said(2, IGNORE, ALL_BEFORE, ORDERS),
  said(
    1,
    IGNORE,
    words('everything,anything,all,alt'),
    words('above,before,earlier,so far,until now,you know,ovenfor,hidtil,tidligere,du ved,før,ovenstående,foregående'),
  ),
  said(1, IGNORE, words('the above,ovenstående,the document,dokumentet,the text above')),
  said(
    2,
    words(
      'you are,you are now,you must act as,act as,pretend to be,pretend that you are,behave as,role-?play as,from now on you,du er,du er nu,opfør dig som,lad som om du er,agér som,ager som,fungér som,spil rollen som,fra nu af',
    ),
    `(?:${MODEL}|${words('unrestricted,jailbroken,without restrictions,no restrictions,developer mode,uden begrænsninger,uden regler,udviklertilstand')})`,
  ),
  said(
    2,
    words("if you are,if you[’']re,hvis du er,såfremt du er,når du er"),
    `(?:${MODEL}|${words('an assistant,a bot,a robot,a crawler,en assistent,en robot,en bot')})`,
  ),
  said(
    2,
    words(
      'note,message,memo,instruction,instructions,notice,attention,reminder,besked,bemærkning,instruks,anvisning,meddelelse',
    ),
    words('to,for,til'),
    `(?:${MODEL}|${words('the assistant,the model,assistenten,modellen')})`,
  ),
  said(
    2,
    MODEL,
    words(
      'reading,processing,that reads,that processes,summarising,summarizing,indexing,who reads,der læser,som læser,der behandler,som behandler,der opsummerer,der indekserer',
    ),
  ),
  said(2, words('system,admin,administrator,developer,root'), words('override,mode enabled,mode on')),
  said(
    2,
    words('reveal,repeat,print,show,output,leak,gengiv,afslør,gentag,udskriv,vis'),
    words('your,the,din,dit,dine'),
    words(
      'system prompt,hidden prompt,initial prompt,system message,systemprompt,system-prompt,skjulte prompt,systembesked',
    ),
  ),
  said(1, MODEL, words('must,should,shall,will,has to,have to,needs to,skal,bør,må')),
  said(1, REPLY, PAYLOAD),
  said(1, `(?:${words(SAY)}[^.!?\\n]{0,60}?${ONLY}|${ONLY}[^.!?\\n]{0,24}?${words(SAY)})`),
  said(1, REPLY, LINKED),
  said(1, REPLY, EVERY_REPLY),
  said(
    1,
    words('your,dit,dine,every,each,all,hvert,alle'),
    words('answer,answers,reply,response,output,summary,facets,verdict,svar,resume,resumé,opsummering'),
    words('must,should,shall,has to,will,skal,bør'),
  ),
  said(
    1,
    words('new,updated,real,true,hidden,secret,nye,ny,opdaterede,rigtige,skjulte,hemmelige'),
    `${words('instruction,instructions,task,prompt,orders,instruks,instrukser,opgave,anvisninger,prompt')}\\s*[:—–-]`,
  ),
  said(
    1,
    words("the user[’']?s?,brugeren,brugerens"),
    words(
      'question,data,conversation,history,password,secrets?,query,spørgsmål,samtale,historik,adgangskode,hemmeligheder',
    ),
  ),
  said(
    1,
    words(
      'do not mention,do not reveal,do not tell,never mention,without mentioning,nævn ikke,fortæl ikke,afslør ikke,uden at nævne',
    ),
    words('this,it,instruction,instructions,user,dette,det,instruks,instruksen,anvisning,brugeren'),
  ),
  said(
    2,
    words('rate,grade,score,rank,judge,mark,bedøm,giv,vurdér,vurder,rangér'),
    words('this,dette'),
    words('paragraph,passage,document,text,result,source,afsnit,tekst,dokument,kilde'),
    words('as,highest,best,first,most relevant,grade,score,3,10,højeste,højest,bedst,først,mest relevant,karakteren'),
  ),
  said(
    1,
    words('call,use,invoke,run,execute,kald,brug,kør,udfør'),
    words('tool,function,plugin,værktøj,værktøjet,funktionen,funktion'),
    words('with,to,på,med,til'),
  ),
  {
    weight: 1,
    form: /^\s*[#>*\-\s]*\[?(?:system|developer|assistant|ai|user|human|assistent|bruger|systembesked|system prompt|system message)\]?\s*[:>]/iu,
  },
  { weight: 1, form: /!\[[^[\]\n]*\]\(\s{0,9}(?:https?:)?\/\//iu },
  {
    weight: 1,
    form: /https?:\/\/[^\s?#]{1,500}\?[^\s]{0,500}=(?:\{|\[|<|%7b|\$|your|question|answer|spørgsmål|svar)/iu,
  },
  { weight: 1, form: /["'”]\s*[}\]]\s*,?\s*[}\]]/u },
  { weight: 1, form: /"role"\s*:\s*"(?:system|assistant|developer|tool)"/iu },
];

/** Signs that a chat's own machinery is imitated: what follows in the paragraph counts as said by it. */
export const TURN_SIGNS: readonly RegExp[] = [
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|eot_id|start_header_id|end_header_id|end_of_turn|tool_call)\|>/iu,
  /\[\/?INST\]|<<\/?SYS>>|<\/?(?:start_of_turn|end_of_turn)>/u,
  /<\/?(?:assistant|tool_call|tool_use|tool_result|function_calls?|system[_-]prompt)(?:\s[^>\n]{0,80})?>/iu,
  /<\/?system>\s*(?:you|ignore|disregard|new|override|important|reply|respond|answer|du|glem|svar|ny|nye|se bort)(?![\p{L}])/iu,
  /^#{1,6}\s*(?:system|instruction|response|assistant|instruks)\s*:/imu,
  /"(?:simple_questions|complex_questions|type_quote|verdicts)"\s*:/iu,
  /"(?:tool|tool_name|function|name)"\s*:\s*"[^"\n]{1,60}"\s*,\s*"(?:arguments|parameters|input)"\s*:/iu,
  /(?<![\p{L}])(?:end of (?:the )?(?:document|data|context|sources)|slut på (?:dokumentet|data|konteksten|kilderne))\s*[.\]})>:—–-]{1,3}\s*(?:now|new|system|next|nu|ny|nye|begin|svar|reply)(?![\p{L}])/iu,
];
