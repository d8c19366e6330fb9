// Written by `make page` from service/web/source: change it there.
// htm (Apache-2.0) and Preact (MIT) are in first.js; their licences stand in vendor/.
export const vendor_htm_preact = (() => {
var e,n,_,t,o,r,u,l={},i=[],c=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i;function s(e,n){for(var _ in n)e[_]=n[_];return e}function f(e){var n=e.parentNode;n&&n.removeChild(e)}function a(n,_,t){var o,r,u,l={};for(u in _)"key"==u?o=_[u]:"ref"==u?r=_[u]:l[u]=_[u];if(arguments.length>2&&(l.children=arguments.length>3?e.call(arguments,2):t),"function"==typeof n&&null!=n.defaultProps)for(u in n.defaultProps)void 0===l[u]&&(l[u]=n.defaultProps[u]);return p(n,l,o,r,null)}function p(e,t,o,r,u){var l={type:e,props:t,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__d:void 0,__c:null,__h:null,constructor:void 0,__v:null==u?++_:u};return null!=n.vnode&&n.vnode(l),l}function h(e){return e.children}function d(e,n){this.props=e,this.context=n}function v(e,n){if(null==n)return e.__?v(e.__,e.__.__k.indexOf(e)+1):null;for(var _;n<e.__k.length;n++)if(null!=(_=e.__k[n])&&null!=_.__e)return _.__e;return"function"==typeof e.type?v(e):null}function y(e){var n,_;if(null!=(e=e.__)&&null!=e.__c){for(e.__e=e.__c.base=null,n=0;n<e.__k.length;n++)if(null!=(_=e.__k[n])&&null!=_.__e){e.__e=e.__c.base=_.__e;break}return y(e)}}function m(e){(!e.__d&&(e.__d=!0)&&t.push(e)&&!g.__r++||r!==n.debounceRendering)&&((r=n.debounceRendering)||o)(g)}function g(){for(var e;g.__r=t.length;)e=t.sort(function(e,n){return e.__v.__b-n.__v.__b}),t=[],e.some(function(e){var n,_,t,o,r,u;e.__d&&(r=(o=(n=e).__v).__e,(u=n.__P)&&(_=[],(t=s({},o)).__v=o.__v+1,P(u,o,t,n.__n,void 0!==u.ownerSVGElement,null!=o.__h?[r]:null,_,null==r?v(o):r,o.__h),D(_,o),o.__e!=r&&y(o)))})}function k(e,n,_,t,o,r,u,c,s,f){var a,d,y,m,g,k,x,H=t&&t.__k||i,E=H.length;for(_.__k=[],a=0;a<n.length;a++)if(null!=(m=_.__k[a]=null==(m=n[a])||"boolean"==typeof m?null:"string"==typeof m||"number"==typeof m||"bigint"==typeof m?p(null,m,null,null,m):Array.isArray(m)?p(h,{children:m},null,null,null):m.__b>0?p(m.type,m.props,m.key,null,m.__v):m)){if(m.__=_,m.__b=_.__b+1,null===(y=H[a])||y&&m.key==y.key&&m.type===y.type)H[a]=void 0;else for(d=0;d<E;d++){if((y=H[d])&&m.key==y.key&&m.type===y.type){H[d]=void 0;break}y=null}P(e,m,y=y||l,o,r,u,c,s,f),g=m.__e,(d=m.ref)&&y.ref!=d&&(x||(x=[]),y.ref&&x.push(y.ref,null,m),x.push(d,m.__c||g,m)),null!=g?(null==k&&(k=g),"function"==typeof m.type&&null!=m.__k&&m.__k===y.__k?m.__d=s=b(m,s,e):s=C(e,m,y,H,g,s),f||"option"!==_.type?"function"==typeof _.type&&(_.__d=s):e.value=""):s&&y.__e==s&&s.parentNode!=e&&(s=v(y))}for(_.__e=k,a=E;a--;)null!=H[a]&&("function"==typeof _.type&&null!=H[a].__e&&H[a].__e==_.__d&&(_.__d=v(t,a+1)),U(H[a],H[a]));if(x)for(a=0;a<x.length;a++)T(x[a],x[++a],x[++a])}function b(e,n,_){var t,o;for(t=0;t<e.__k.length;t++)(o=e.__k[t])&&(o.__=e,n="function"==typeof o.type?b(o,n,_):C(_,o,o,e.__k,o.__e,n));return n}function C(e,n,_,t,o,r){var u,l,i;if(void 0!==n.__d)u=n.__d,n.__d=void 0;else if(null==_||o!=r||null==o.parentNode)e:if(null==r||r.parentNode!==e)e.appendChild(o),u=null;else{for(l=r,i=0;(l=l.nextSibling)&&i<t.length;i+=2)if(l==o)break e;e.insertBefore(o,r),u=r}return void 0!==u?u:o.nextSibling}function x(e,n,_){"-"===n[0]?e.setProperty(n,_):e[n]=null==_?"":"number"!=typeof _||c.test(n)?_:_+"px"}function H(e,n,_,t,o){var r;e:if("style"===n)if("string"==typeof _)e.style.cssText=_;else{if("string"==typeof t&&(e.style.cssText=t=""),t)for(n in t)_&&n in _||x(e.style,n,"");if(_)for(n in _)t&&_[n]===t[n]||x(e.style,n,_[n])}else if("o"===n[0]&&"n"===n[1])r=n!==(n=n.replace(/Capture$/,"")),n=n.toLowerCase()in e?n.toLowerCase().slice(2):n.slice(2),e.l||(e.l={}),e.l[n+r]=_,_?t||e.addEventListener(n,r?S:E,r):e.removeEventListener(n,r?S:E,r);else if("dangerouslySetInnerHTML"!==n){if(o)n=n.replace(/xlink[H:h]/,"h").replace(/sName$/,"s");else if("href"!==n&&"list"!==n&&"form"!==n&&"tabIndex"!==n&&"download"!==n&&n in e)try{e[n]=null==_?"":_;break e}catch(e){}"function"==typeof _||(null!=_&&(!1!==_||"a"===n[0]&&"r"===n[1])?e.setAttribute(n,_):e.removeAttribute(n))}}function E(e){this.l[e.type+!1](n.event?n.event(e):e)}function S(e){this.l[e.type+!0](n.event?n.event(e):e)}function P(e,_,t,o,r,u,l,i,c){var f,a,p,v,y,m,g,b,C,x,H,E=_.type;if(void 0!==_.constructor)return null;null!=t.__h&&(c=t.__h,i=_.__e=t.__e,_.__h=null,u=[i]),(f=n.__b)&&f(_);try{e:if("function"==typeof E){if(b=_.props,C=(f=E.contextType)&&o[f.__c],x=f?C?C.props.value:f.__:o,t.__c?g=(a=_.__c=t.__c).__=a.__E:("prototype"in E&&E.prototype.render?_.__c=a=new E(b,x):(_.__c=a=new d(b,x),a.constructor=E,a.render=A),C&&C.sub(a),a.props=b,a.state||(a.state={}),a.context=x,a.__n=o,p=a.__d=!0,a.__h=[]),null==a.__s&&(a.__s=a.state),null!=E.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=s({},a.__s)),s(a.__s,E.getDerivedStateFromProps(b,a.__s))),v=a.props,y=a.state,p)null==E.getDerivedStateFromProps&&null!=a.componentWillMount&&a.componentWillMount(),null!=a.componentDidMount&&a.__h.push(a.componentDidMount);else{if(null==E.getDerivedStateFromProps&&b!==v&&null!=a.componentWillReceiveProps&&a.componentWillReceiveProps(b,x),!a.__e&&null!=a.shouldComponentUpdate&&!1===a.shouldComponentUpdate(b,a.__s,x)||_.__v===t.__v){a.props=b,a.state=a.__s,_.__v!==t.__v&&(a.__d=!1),a.__v=_,_.__e=t.__e,_.__k=t.__k,_.__k.forEach(function(e){e&&(e.__=_)}),a.__h.length&&l.push(a);break e}null!=a.componentWillUpdate&&a.componentWillUpdate(b,a.__s,x),null!=a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(v,y,m)})}a.context=x,a.props=b,a.state=a.__s,(f=n.__r)&&f(_),a.__d=!1,a.__v=_,a.__P=e,f=a.render(a.props,a.state,a.context),a.state=a.__s,null!=a.getChildContext&&(o=s(s({},o),a.getChildContext())),p||null==a.getSnapshotBeforeUpdate||(m=a.getSnapshotBeforeUpdate(v,y)),H=null!=f&&f.type===h&&null==f.key?f.props.children:f,k(e,Array.isArray(H)?H:[H],_,t,o,r,u,l,i,c),a.base=_.__e,_.__h=null,a.__h.length&&l.push(a),g&&(a.__E=a.__=null),a.__e=!1}else null==u&&_.__v===t.__v?(_.__k=t.__k,_.__e=t.__e):_.__e=w(t.__e,_,t,o,r,u,l,c);(f=n.diffed)&&f(_)}catch(e){_.__v=null,(c||null!=u)&&(_.__e=i,_.__h=!!c,u[u.indexOf(i)]=null),n.__e(e,_,t)}}function D(e,_){n.__c&&n.__c(_,e),e.some(function(_){try{e=_.__h,_.__h=[],e.some(function(e){e.call(_)})}catch(e){n.__e(e,_.__v)}})}function w(n,_,t,o,r,u,i,c){var s,a,p,h=t.props,d=_.props,y=_.type,m=0;if("svg"===y&&(r=!0),null!=u)for(;m<u.length;m++)if((s=u[m])&&(s===n||(y?s.localName==y:3==s.nodeType))){n=s,u[m]=null;break}if(null==n){if(null===y)return document.createTextNode(d);n=r?document.createElementNS("http://www.w3.org/2000/svg",y):document.createElement(y,d.is&&d),u=null,c=!1}if(null===y)h===d||c&&n.data===d||(n.data=d);else{if(u=u&&e.call(n.childNodes),a=(h=t.props||l).dangerouslySetInnerHTML,p=d.dangerouslySetInnerHTML,!c){if(null!=u)for(h={},m=0;m<n.attributes.length;m++)h[n.attributes[m].name]=n.attributes[m].value;(p||a)&&(p&&(a&&p.__html==a.__html||p.__html===n.innerHTML)||(n.innerHTML=p&&p.__html||""))}if(function(e,n,_,t,o){var r;for(r in _)"children"===r||"key"===r||r in n||H(e,r,null,_[r],t);for(r in n)o&&"function"!=typeof n[r]||"children"===r||"key"===r||"value"===r||"checked"===r||_[r]===n[r]||H(e,r,n[r],_[r],t)}(n,d,h,r,c),p)_.__k=[];else if(m=_.props.children,k(n,Array.isArray(m)?m:[m],_,t,o,r&&"foreignObject"!==y,u,i,u?u[0]:t.__k&&v(t,0),c),null!=u)for(m=u.length;m--;)null!=u[m]&&f(u[m]);c||("value"in d&&void 0!==(m=d.value)&&(m!==n.value||"progress"===y&&!m)&&H(n,"value",m,h.value,!1),"checked"in d&&void 0!==(m=d.checked)&&m!==n.checked&&H(n,"checked",m,h.checked,!1))}return n}function T(e,_,t){try{"function"==typeof e?e(_):e.current=_}catch(e){n.__e(e,t)}}function U(e,_,t){var o,r;if(n.unmount&&n.unmount(e),(o=e.ref)&&(o.current&&o.current!==e.__e||T(o,null,_)),null!=(o=e.__c)){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(e){n.__e(e,_)}o.base=o.__P=null}if(o=e.__k)for(r=0;r<o.length;r++)o[r]&&U(o[r],_,"function"!=typeof e.type);t||null==e.__e||f(e.__e),e.__e=e.__d=void 0}function A(e,n,_){return this.constructor(e,_)}function M(_,t,o){var r,u,i;n.__&&n.__(_,t),u=(r="function"==typeof o)?null:o&&o.__k||t.__k,i=[],P(t,_=(!r&&o||t).__k=a(h,null,[_]),u||l,l,void 0!==t.ownerSVGElement,!r&&o?[o]:u?null:t.firstChild?e.call(t.childNodes):null,i,!r&&o?o:u?u.__e:t.firstChild,r),D(i,_)}function F(e,n){var _={__c:n="__cC"+u++,__:e,Consumer:function(e,n){return e.children(n)},Provider:function(e){var _,t;return this.getChildContext||(_=[],(t={})[n]=this,this.getChildContext=function(){return t},this.shouldComponentUpdate=function(e){this.props.value!==e.value&&_.some(m)},this.sub=function(e){_.push(e);var n=e.componentWillUnmount;e.componentWillUnmount=function(){_.splice(_.indexOf(e),1),n&&n.call(e)}}),e.children}};return _.Provider.__=_.Consumer.contextType=_}e=i.slice,n={__e:function(e,n){for(var _,t,o;n=n.__;)if((_=n.__c)&&!_.__)try{if((t=_.constructor)&&null!=t.getDerivedStateFromError&&(_.setState(t.getDerivedStateFromError(e)),o=_.__d),null!=_.componentDidCatch&&(_.componentDidCatch(e),o=_.__d),o)return _.__E=_}catch(n){e=n}throw e}},_=0,d.prototype.setState=function(e,n){var _;_=null!=this.__s&&this.__s!==this.state?this.__s:this.__s=s({},this.state),"function"==typeof e&&(e=e(s({},_),this.props)),e&&s(_,e),null!=e&&this.__v&&(n&&this.__h.push(n),m(this))},d.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),m(this))},d.prototype.render=h,t=[],o="function"==typeof Promise?Promise.prototype.then.bind(Promise.resolve()):setTimeout,g.__r=0,u=0;var L,N,W,R=0,I=[],O=n.__b,V=n.__r,q=n.diffed,B=n.__c,$=n.unmount;function j(e,_){n.__h&&n.__h(N,e,R||_),R=0;var t=N.__H||(N.__H={__:[],__h:[]});return e>=t.__.length&&t.__.push({}),t.__[e]}function G(e){return R=1,z(ie,e)}function z(e,n,_){var t=j(L++,2);return t.t=e,t.__c||(t.__=[_?_(n):ie(void 0,n),function(e){var n=t.t(t.__[0],e);t.__[0]!==n&&(t.__=[n,t.__[1]],t.__c.setState({}))}],t.__c=N),t.__}function J(e,_){var t=j(L++,3);!n.__s&&le(t.__H,_)&&(t.__=e,t.__H=_,N.__H.__h.push(t))}function K(e,_){var t=j(L++,4);!n.__s&&le(t.__H,_)&&(t.__=e,t.__H=_,N.__h.push(t))}function Q(e){return R=5,Y(function(){return{current:e}},[])}function X(e,n,_){R=6,K(function(){"function"==typeof e?e(n()):e&&(e.current=n())},null==_?_:_.concat(e))}function Y(e,n){var _=j(L++,7);return le(_.__H,n)&&(_.__=e(),_.__H=n,_.__h=e),_.__}function Z(e,n){return R=8,Y(function(){return e},n)}function ee(e){var n=N.context[e.__c],_=j(L++,9);return _.c=e,n?(null==_.__&&(_.__=!0,n.sub(N)),n.props.value):e.__}function ne(e,_){n.useDebugValue&&n.useDebugValue(_?_(e):e)}function _e(e){var n=j(L++,10),_=G();return n.__=e,N.componentDidCatch||(N.componentDidCatch=function(e){n.__&&n.__(e),_[1](e)}),[_[0],function(){_[1](void 0)}]}function te(){I.forEach(function(e){if(e.__P)try{e.__H.__h.forEach(re),e.__H.__h.forEach(ue),e.__H.__h=[]}catch(_){e.__H.__h=[],n.__e(_,e.__v)}}),I=[]}n.__b=function(e){N=null,O&&O(e)},n.__r=function(e){V&&V(e),L=0;var n=(N=e.__c).__H;n&&(n.__h.forEach(re),n.__h.forEach(ue),n.__h=[])},n.diffed=function(e){q&&q(e);var _=e.__c;_&&_.__H&&_.__H.__h.length&&(1!==I.push(_)&&W===n.requestAnimationFrame||((W=n.requestAnimationFrame)||function(e){var n,_=function(){clearTimeout(t),oe&&cancelAnimationFrame(n),setTimeout(e)},t=setTimeout(_,100);oe&&(n=requestAnimationFrame(_))})(te)),N=void 0},n.__c=function(e,_){_.some(function(e){try{e.__h.forEach(re),e.__h=e.__h.filter(function(e){return!e.__||ue(e)})}catch(t){_.some(function(e){e.__h&&(e.__h=[])}),_=[],n.__e(t,e.__v)}}),B&&B(e,_)},n.unmount=function(e){$&&$(e);var _=e.__c;if(_&&_.__H)try{_.__H.__.forEach(re)}catch(e){n.__e(e,_.__v)}};var oe="function"==typeof requestAnimationFrame;function re(e){var n=N;"function"==typeof e.__c&&e.__c(),N=n}function ue(e){var n=N;e.__c=e.__(),N=n}function le(e,n){return!e||e.length!==n.length||n.some(function(n,_){return n!==e[_]})}function ie(e,n){return"function"==typeof n?n(e):n}var ce=function(e,n,_,t){var o;n[0]=0;for(var r=1;r<n.length;r++){var u=n[r++],l=n[r]?(n[0]|=u?1:2,_[n[r++]]):n[++r];3===u?t[0]=l:4===u?t[1]=Object.assign(t[1]||{},l):5===u?(t[1]=t[1]||{})[n[++r]]=l:6===u?t[1][n[++r]]+=l+"":u?(o=e.apply(l,ce(e,l,_,["",null])),t.push(o),l[0]?n[0]|=2:(n[r-2]=0,n[r]=o)):t.push(l)}return t},se=new Map,fe=function(e){var n=se.get(this);return n||(n=new Map,se.set(this,n)),(n=ce(this,n.get(e)||(n.set(e,n=function(e){for(var n,_,t=1,o="",r="",u=[0],l=function(e){1===t&&(e||(o=o.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,e,o):3===t&&(e||o)?(u.push(3,e,o),t=2):2===t&&"..."===o&&e?u.push(4,e,0):2===t&&o&&!e?u.push(5,0,!0,o):t>=5&&((o||!e&&5===t)&&(u.push(t,0,o,_),t=6),e&&(u.push(t,e,0,_),t=6)),o=""},i=0;i<e.length;i++){i&&(1===t&&l(),l(i));for(var c=0;c<e[i].length;c++)n=e[i][c],1===t?"<"===n?(l(),u=[u],t=3):o+=n:4===t?"--"===o&&">"===n?(t=1,o=""):o=n+o[0]:r?n===r?r="":o+=n:'"'===n||"'"===n?r=n:">"===n?(l(),t=1):t&&("="===n?(t=5,_=o,o=""):"/"===n&&(t<5||">"===e[i][c+1])?(l(),3===t&&(u=u[0]),t=u,(u=u[0]).push(2,0,t),t=0):" "===n||"\t"===n||"\n"===n||"\r"===n?(l(),t=2):o+=n),3===t&&"!--"===o&&(t=4,u=u[0])}return l(),u}(e)),n),arguments,[])).length>1?n:n[0]}.bind(a);
return { h: a, html: fe, render: M, Component: d, createContext: F, useState: G, useReducer: z, useEffect: J, useLayoutEffect: K, useRef: Q, useImperativeHandle: X, useMemo: Y, useCallback: Z, useContext: ee, useDebugValue: ne, useErrorBoundary: _e };
})();
export const lib_router = (() => {
const { useEffect, useState } = vendor_htm_preact;

const moved = new EventTarget();

function navigate(url, { replace = false } = {}) {
  const target = new URL(url, location.href);
  if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  moved.dispatchEvent(new CustomEvent("move", { detail: { quiet: replace } }));
}

addEventListener("popstate", () => moved.dispatchEvent(new CustomEvent("move", { detail: { quiet: false } })));

const OWN = /^\/($|new$|verify$|tables\/|players\/|tournaments($|\/))/;

addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (!OWN.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.href);
});

function useAddress() {
  const read = () => ({ path: location.pathname, query: new URLSearchParams(location.search) });
  const [address, set] = useState(read);
  useEffect(() => {
    const heard = () => set(read());
    moved.addEventListener("move", heard);
    return () => moved.removeEventListener("move", heard);
  }, []);
  return address;
}

function withQuery(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  return url.pathname + url.search;
}
return { navigate, useAddress, withQuery };
})();
export const lib_session = (() => {
const KEY = "starledger.player";

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return kept && typeof kept.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

class Session extends EventTarget {
  current = read();
  wasLost = false;

  set(player) {
    this.current = player;
    this.wasLost = false;
    try {
      if (player) localStorage.setItem(KEY, JSON.stringify(player));
      else localStorage.removeItem(KEY);
    } catch {
    }
    this.dispatchEvent(new Event("change"));
  }

  lost() {
    this.set(null);
    this.wasLost = true;
    this.dispatchEvent(new Event("change"));
  }
}

const session = new Session();

setTimeout(() => {
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    session.current = read();
    session.dispatchEvent(new Event("change"));
  });
}, 1000);

const setting = {
  get: (name) => {
    try {
      return localStorage.getItem(`starledger.${name}`);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      if (value === null) localStorage.removeItem(`starledger.${name}`);
      else localStorage.setItem(`starledger.${name}`, value);
    } catch {
    }
  },
};
return { session, setting };
})();
export const lib_api = (() => {
const { session } = lib_session;

class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || "Something went wrong.");
    this.status = status;
    this.code = body.code || "unknown";
    this.ruling = body.ruling;
    this.errors = body.errors;
    this.version = body.version;
    this.body = body;
    this.retryable = body.retryable === true || status === 0 || status === 503 || status === 429;
    this.afterMs = 0;
  }
}

const LONGEST_WAIT_MS = 10_000;

let skew = 0;

const clockSkew = () => skew;

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

function authorization() {
  const token = session.current?.token;
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function once(method, path, { body, headers, signal, raw, type }) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        Accept: "application/json, application/problem+json;q=0.9",
        ...(body === undefined ? {} : { "Content-Type": type || "application/json" }),
        ...authorization(),
        ...headers,
      },
      body: body === undefined ? undefined : type ? body : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (reason) {
    if (reason.name === "AbortError") throw reason;
    throw new Problem(0, { code: "offline", detail: "The server can't be reached. Trying again may help." });
  }
  const date = Date.parse(answer.headers.get("Date") || "");
  if (date) skew = date + 500 - Date.now();
  if (answer.ok) {
    if (raw) return answer;
    return answer.status === 204 ? null : answer.json();
  }
  const text = await answer.text();
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    problem = { detail: `The server answered ${answer.status}.` };
  }
  if (answer.status === 401 && session.current) session.lost();
  const failed = new Problem(answer.status, problem);
  failed.afterMs = Math.min(LONGEST_WAIT_MS, 1000 * (Number(answer.headers.get("Retry-After")) || 0));
  throw failed;
}

async function api(method, path, options = {}) {
  const { tries = method === "GET" ? 3 : 4, ...rest } = options;
  const headers = { ...(method === "POST" ? { "Idempotency-Key": newKey() } : {}), ...rest.headers };
  for (let turn = 1; ; turn += 1) {
    try {
      return await once(method, path, { ...rest, headers });
    } catch (reason) {
      if (!(reason instanceof Problem) || !reason.retryable || turn >= tries) throw reason;
      await pause(Math.max(300 * 2 ** turn, reason.afterMs), rest.signal);
    }
  }
}

const get = (path, options) => api("GET", path, options);
const post = (path, body = {}, options = {}) => api("POST", path, { body, ...options });
const remove = (path) => api("DELETE", path);

async function getAll(path) {
  const items = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await get(`${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

const early = globalThis.early ?? {};
const answers = {};
for (const [path, answer] of Object.entries(early)) answer.then((body) => (answers[path] = body));

const arrived = (path) => answers[path] ?? undefined;

async function getFirst(path, options) {
  const asked = early[path];
  delete early[path];
  const answer = await asked;
  delete answers[path];
  if (answer?.status === 404) throw new Problem(404, answer);
  return answer ?? get(path, options);
}

const allArrived = (ms) => Promise.race([Promise.all(Object.values(early)), pause(ms)]);

const games = new Map();

function catalogue(game) {
  if (!games.has(game)) {
    const asked = get(`/v1/games/${encodeURIComponent(game)}`);
    asked.catch(() => games.delete(game));
    games.set(game, asked);
  }
  return games.get(game);
}
return { Problem, clockSkew, newKey, pause, authorization, api, get, post, remove, getAll, arrived, getFirst, allArrived, catalogue };
})();
export const lib_words = (() => {
const { clockSkew } = lib_api;

const BOT_TITLES = { random: "Random", easy: "Easy", greedy: "Greedy", hard: "Hard", expert: "Expert" };

const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");
const spoken = (name) => capital(String(name).replace(/_/g, " ").replace(/ ([a-z])$/, (_, letter) => ` ${letter.toUpperCase()}`));
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

function seatNames(seats) {
  const plain = seats.map((seat) => {
    if (seat.player?.name) return seat.player.name;
    if (seat.kind === "ai") return `${BOT_TITLES[seat.bot] || spoken(seat.bot)} bot`;
    return `Seat ${seat.seat + 1}`;
  });
  return plain.map((name, at) =>
    plain.some((other, where) => where !== at && other === name) ? `${name} (${at + 1})` : name,
  );
}

function withNames(summary, names) {
  const named = (whole, seat) => names[Number(seat)] ?? whole;
  const seated = (whole, seat) => `${named(whole, seat)} sits down`;
  return summary.replace(/\b[Ss]eat (\d+) is taken by (?:a player|the bot \w+)/g, seated).replace(/\b[Ss]eat (\d+)\b/g, named);
}

const UNITS = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [7 * 86400, 86400, "day"],
];

function ago(time) {
  const seconds = (Date.parse(time) - Date.now() - clockSkew()) / 1000;
  const [, size, unit] = UNITS.find(([below]) => Math.abs(seconds) < below) ?? [];
  if (!unit) return exactTime(time);
  const count = Math.round(Math.abs(seconds) / size);
  if (count === 0) return "now";
  return seconds < 0 ? `${plural(count, unit)} ago` : `in ${plural(count, unit)}`;
}

let exact = null;

function exactTime(time) {
  exact ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return exact.format(new Date(time));
}

function duration(seconds) {
  if (seconds % 86400 === 0) return plural(seconds / 86400, "day");
  if (seconds % 3600 === 0) return plural(seconds / 3600, "hour");
  if (seconds % 60 === 0) return plural(seconds / 60, "minute");
  return plural(seconds, "second");
}

function clockFace(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function clockWords(clock) {
  if (!clock) return "No clock";
  if (clock.kind === "turn") return `${duration(clock.seconds)} a move`;
  return `${duration(clock.seconds)} each${clock.increment ? `, ${plural(clock.increment, "second")} back a move` : ""}`;
}

const REASONS = {
  all_racers: "All Space Racers are launched",
  cap_tricks: "1,500 tricks were played",
  cap_no_launch: "Nobody launched for 300 tricks",
  grid_full: "A colony is complete",
  cap_stall: "Nobody laid a card for three rounds",
  cap_rounds: "60 rounds were played",
  target_reached: "The target was reached",
  one_hand: "The hand is over",
  cap_hands: "50 hands were played",
  resignation: "All others gave up",
};
const reasonWords = (reason) => REASONS[reason] || spoken(reason);

const WAIT_WORDS = {
  not_enough_entrants: "It can't start yet",
  waiting_for_check_in: "Not all have checked in",
  waiting_for_start: "It starts by itself",
  waiting_for_organiser: "Ready to start",
  round_to_be_paired: "The next round is coming",
  tables_to_be_made: "The tables are coming",
  waiting_for_results: "Tables are played",
  paused: "Paused",
};

const TIE_WORDS = {
  head_to_head: "Head to head",
  buchholz: "Buchholz",
  sonneborn_berger: "Sonneborn-Berger",
  wins: "Wins",
  second_places: "Second places",
  total_score: "Total score",
  lot: "Lot",
};

const STATUS_WORDS = {
  open: "Waiting for players",
  playing: "Being played",
  finished: "Finished",
  aborted: "Called off",
};

function listWords(parts, last = "and") {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

function placeWords(place) {
  return `${place}${["th", "st", "nd", "rd"][place % 100 > 10 && place % 100 < 14 ? 0 : place % 10] || "th"}`;
}

function winnerWords(outcome, names) {
  const winners = outcome.winners.map((seat) => names[seat]);
  if (!winners.length) return "Nobody wins.";
  return winners.length === 1 ? `${winners[0]} wins` : `${listWords(winners)} share the win`;
}
return { BOT_TITLES, capital, spoken, plural, seatNames, withNames, ago, exactTime, duration, clockFace, clockWords, reasonWords, WAIT_WORDS, TIE_WORDS, STATUS_WORDS, listWords, placeWords, winnerWords };
})();
export const lib_ui = (() => {
const { html, useCallback, useEffect, useRef, useState } = vendor_htm_preact;
const { session } = lib_session;
const { post } = lib_api;
const { ago, exactTime } = lib_words;

function useSession() {
  const [current, set] = useState(session.current);
  useEffect(() => {
    const heard = () => set(session.current);
    session.addEventListener("change", heard);
    return () => session.removeEventListener("change", heard);
  }, []);
  return current;
}

function usePage(title) {
  useEffect(() => {
    document.title = title ? `${title} · Starledger` : "Starledger";
  }, [title]);
}

function Heading({ children, focus = true }) {
  const ref = useRef();
  useEffect(() => {
    if (focus && document.documentElement.dataset.moved) ref.current?.focus({ preventScroll: true });
  }, []);
  return html`<h1 tabindex="-1" ref=${ref}>${children}</h1>`;
}

function ErrorNote({ error, retry }) {
  if (!error) return null;
  return html`<div class="note bad" role="alert">
    <span aria-hidden="true" class="note-mark">!</span>
    <span>
      ${error.message}
      ${error.ruling && html` <span class="ruling">Ruling ${error.ruling}</span>`}
      ${error.errors && html`<${FieldErrors} errors=${error.errors} />`}
    </span>
    ${retry && html`<button class="small" onClick=${retry}>Try again</button>`}
  </div>`;
}

const Ago = ({ time }) =>
  html`<time datetime=${time} onPointerEnter=${(event) => (event.currentTarget.title = exactTime(time))}>${ago(time)}</time>`;

const TRY_AGAIN_S = 5;

function Failed({ error, retry, home = ["/", "To the lobby"] }) {
  useEvery(TRY_AGAIN_S, () => error.retryable && retry?.(), [error]);
  const title = { 0: "No connection", 404: "There is nothing here", 429: "One moment" }[error.status] ?? "This can't be shown";
  usePage(title);
  return html`<section class="failed">
    <${Heading}>${title}<//>
    <p role="alert">${error.message}${error.retryable ? " The page goes on trying." : ""}</p>
    <div class="row center">
      ${retry && error.status !== 404 && html`<button class="primary" onClick=${retry}>Try again</button>`}
      <a class="button" href=${home[0]}>${home[1]}</a>
    </div>
  </section>`;
}

function FieldErrors({ errors }) {
  const lines = [];
  const walk = (value, path) => {
    if (typeof value === "string") lines.push([path, value]);
    else if (Array.isArray(value)) {
      value.forEach((each, at) => walk(each, typeof each === "string" ? path : `${path}[${at}]`));
    } else if (value && typeof value === "object") {
      if (typeof value.field === "string" && typeof (value.message ?? value.detail) === "string") {
        lines.push([value.field, value.message ?? value.detail]);
      } else for (const [name, each] of Object.entries(value)) walk(each, path ? `${path}.${name}` : name);
    }
  };
  walk(errors, "");
  return html`<ul class="field-errors">
    ${lines.map(([path, text]) => html`<li><code>${path || "body"}</code> ${text}</li>`)}
  </ul>`;
}

function Loading({ children = "Loading" }) {
  return html`<p class="loading" role="status"><span class="orbit" aria-hidden="true"></span>${children}</p>`;
}

function Modal({ title, onClose, children }) {
  const ref = useRef();
  const close = useCallback(() => ref.current?.close(), []);
  useEffect(() => {
    const before = document.activeElement;
    ref.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog
    ref=${ref}
    class="modal"
    aria-labelledby="modal-title"
    onClose=${onClose}
    onClick=${(event) => event.target === ref.current && close()}
  >
    <div class="modal-body">
      <h2 id="modal-title">${title}</h2>
      ${children({ close })}
    </div>
  </dialog>`;
}

let asking = null;
const askers = new EventTarget();

function needPlayer() {
  if (session.current) return Promise.resolve(session.current);
  return new Promise((resolve) => {
    asking = resolve;
    askers.dispatchEvent(new Event("ask"));
  });
}

function NameDialog() {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const heard = () => setOpen(true);
    askers.addEventListener("ask", heard);
    return () => askers.removeEventListener("ask", heard);
  }, []);
  if (!open) return null;
  const closed = () => {
    setOpen(false);
    setError(null);
    asking?.(session.current);
    asking = null;
  };
  return html`<${Modal} title="Choose a name" onClose=${closed}>
    ${({ close }) => {
      const submit = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
          const { id, name: given, token } = await post("/v1/players", { name: name.trim(), kind: "human" });
          session.set({ id, name: given, token });
          close();
        } catch (reason) {
          setError(reason);
        }
        setBusy(false);
      };
      return html`<form onSubmit=${submit} class="stack">
        <p class="muted">The others at the table see it. It can't be changed later, and this browser remembers it.</p>
        <label class="field">
          <span>Name</span>
          <input
            name="name"
            required
            maxlength="40"
            autocomplete="nickname"
            value=${name}
            onInput=${(event) => setName(event.target.value)}
          />
        </label>
        <${ErrorNote} error=${error} />
        <div class="row end">
          <button type="button" class="quiet" onClick=${close}>Not now</button>
          <button type="submit" class="primary" disabled=${busy || !name.trim()}>Use this name</button>
        </div>
      </form>`;
    }}
  <//>`;
}

const entropy = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replace(/\+/g, "-").replace(/\//g, "_");

async function sitDown(table, seat) {
  if (!(await needPlayer())) return null;
  return post(`/v1/tables/${table.id}/seats`, {
    ...(seat === undefined ? {} : { seat }),
    ...(table.fairness?.chosen_seed || table.fairness?.seed_withheld_until ? {} : { entropy: entropy() }),
  });
}

function useAction(action) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const latest = useRef(action);
  latest.current = action;
  const run = useCallback(async (...args) => {
    setBusy(true);
    setError(null);
    try {
      return await latest.current(...args);
    } catch (reason) {
      if (reason.name !== "AbortError") setError(reason);
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);
  return [run, busy, error, () => setError(null)];
}

const NARROW = matchMedia("(max-width: 620px)");

function useNarrow() {
  const [isNarrow, set] = useState(NARROW.matches);
  useEffect(() => {
    const heard = () => set(NARROW.matches);
    heard();
    NARROW.addEventListener("change", heard);
    return () => NARROW.removeEventListener("change", heard);
  }, []);
  return isNarrow;
}

function useEvery(seconds, action, inputs = []) {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && latest.current(), seconds * 1000);
    const seen = () => document.visibilityState === "visible" && latest.current();
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, inputs);
}

function useNow(active) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => set(Date.now()), 500);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
return { useSession, usePage, Heading, ErrorNote, Ago, Failed, FieldErrors, Loading, Modal, needPlayer, NameDialog, sitDown, useAction, useNarrow, useEvery, useNow };
})();
export const games_marks = (() => {
const { html } = vendor_htm_preact;
const { spoken } = lib_words;

const TITLES = { "beam-me-up": "Beam Me Up", "planet-pioneer": "Planet Pioneer", "universal-match": "Universal Match" };

const KNOWN = Object.entries(TITLES).map(([game, title]) => ({ game, title, bots: ["greedy"] }));

const gameTitle = (game) => TITLES[game] || spoken(game.replace(/-/g, " "));

const GAME_LINES = {
  "beam-me-up": "Win tricks, gather three aliens of one elemental, and beam them home. 2 to 4 players.",
  "planet-pioneer": "Build a colony card by card; mind the meteors and the neighbours. 2 to 4 players.",
  "universal-match": "Switch cards between boards and hands until three of them match. 2 to 6 players.",
};

const DRAWN = {
  "beam-me-up": () => html`<path d="M17 40 24 16h0l7 24z" fill="#7ce3ff" opacity=".55" /><ellipse cx="24" cy="15" rx="15" ry="5" fill="#9db4ff" /><path d="M16 13a8 6 0 0 1 16 0z" fill="#dff3ff" /><circle cx="24" cy="35" r="5" fill="#8fe39a" /><circle cx="22.2" cy="34.5" r="1.2" fill="#10231a" /><circle cx="25.8" cy="34.5" r="1.2" fill="#10231a" />`,
  "planet-pioneer": () => html`<path d="M4 38a22 14 0 0 1 40 0z" fill="#d8744a" /><path d="M13 31a9 9 0 0 1 18 0z" fill="#bfe6ff" /><path d="M22 22v9M17.5 23.5 16 31M26.5 23.5 28 31" stroke="#4a6f8f" stroke-width="1.2" fill="none" /><path d="M36 31V15m0 0 6 3-6 3" stroke="#ffd166" stroke-width="2" fill="none" />`,
  "universal-match": () => html`<rect x="6" y="12" width="15" height="24" rx="3" fill="#fff3d6" transform="rotate(-12 13 24)" /><rect x="17" y="10" width="15" height="26" rx="3" fill="#e7ecff" /><rect x="28" y="12" width="15" height="24" rx="3" fill="#ffe1e6" transform="rotate(12 35 24)" /><circle cx="24.5" cy="23" r="5" fill="#5a7cff" /><circle cx="12.5" cy="24" r="4" fill="#e39a3b" /><circle cx="36" cy="24" r="4" fill="#d3536b" />`,
};

function GameMark({ game, large }) {
  return html`<svg class="mark ${large ? "large" : ""}" viewBox="0 0 48 48" aria-hidden="true">
    <rect width="48" height="48" rx="12" fill="#131c3b" />
    <g fill="#fff" opacity=".7"><circle cx="8" cy="9" r=".9" /><circle cx="39" cy="8" r="1.1" /><circle cx="43" cy="26" r=".8" /><circle cx="6" cy="27" r=".7" /></g>
    ${DRAWN[game]?.() || html`<circle cx="24" cy="24" r="11" fill="#7cc4ff" />`}
  </svg>`;
}
return { KNOWN, gameTitle, GAME_LINES, GameMark };
})();
export const pages_lobby = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { arrived, get, getFirst, post } = lib_api;
const { navigate, withQuery } = lib_router;
const { Ago, ErrorNote, Heading, Loading, needPlayer, sitDown, useAction, useEvery, usePage, useSession } = lib_ui;
const { seatNames, winnerWords } = lib_words;
const { GAME_LINES, KNOWN, GameMark, gameTitle } = games_marks;

const STATUSES = [
  ["open", "Open", "Nobody waits for a player right now. Make a table, and it will be listed here."],
  ["playing", "Playing", "Nothing is being played right now."],
  ["finished", "Finished", "No table has been finished yet."],
];

function TableCard({ table, me }) {
  const names = seatNames(table.seats);
  const mine = me && table.seats.find((seat) => seat.player?.id === me.id);
  const isMyTurn = mine && table.to_act.includes(mine.seat);
  const free = table.seats.filter((seat) => seat.kind === "open" || (seat.reserved && me && seat.player?.id === me.id));
  const [join, busy, error] = useAction(async () => {
    const sat = await sitDown(table);
    if (sat) navigate(`/tables/${table.id}`);
  });
  return html`<li class="card-row ${isMyTurn ? "your-turn" : ""}">
    <${GameMark} game=${table.game} />
    <div class="card-row-text">
      <a class="card-row-title" href=${`/tables/${table.id}`}>
        ${gameTitle(table.game)}<span class="sr">, ${names.join(", ")}</span>
      </a>
      <span class="seats-line" aria-hidden="true">
        ${table.seats.map(
          (seat, at) => html`<span class="chip ${seat.kind}">${seat.kind === "open" ? "free seat" : names[at]}</span>`,
        )}
      </span>
      <span class="muted small-text">
        ${table.status === "finished" && table.outcome ? html`<b>${winnerWords(table.outcome, names)}</b> · ` : ""}
        ${table.status === "playing" ? `move ${table.version} · ` : ""}
        <${Ago} time=${table.created_at} />
        ${table.rated ? " · rated" : ""}${table.imported ? " · imported" : ""}
      </span>
      <${ErrorNote} error=${error} />
    </div>
    <div class="card-row-end">
      ${isMyTurn && html`<span class="badge turn">Your turn</span>`}
      ${table.status === "open" && !mine && free.length > 0
        ? html`<button class="primary small" disabled=${busy} onClick=${join}>
            Sit down<span class="sr"> at this table of ${gameTitle(table.game)}</span>
          </button>`
        : html`<a class="button small" href=${`/tables/${table.id}`}
            >${mine && table.status === "playing" ? "Play" : table.status === "playing" ? "Watch" : "Look"}<span class="sr">
              at ${gameTitle(table.game)}, ${names.join(", ")}</span
            ></a
          >`}
    </div>
  </li>`;
}

const FIRST_OWN = 6;

function MyTables({ me }) {
  const [items, setItems] = useState([]);
  const [all, showAll] = useState(false);
  const load = async () => {
    const lists = await Promise.all(
      ["playing", "open"].map((status) => get(`/v1/tables?player=${me.id}&status=${status}&limit=20`)),
    );
    const found = lists.flatMap((list) => list.items);
    const waits = (table) => table.seats.some((seat) => seat.player?.id === me.id && table.to_act.includes(seat.seat));
    setItems([...found.filter(waits), ...found.filter((table) => !waits(table))]);
  };
  useEffect(() => {
    load().catch(() => {});
  }, [me.id]);
  useEvery(5, () => load().catch(() => {}), [me.id]);
  if (!items.length) return null;
  return html`<section aria-labelledby="mine">
    <h2 id="mine">Your tables</h2>
    <ul class="rows">
      ${(all ? items : items.slice(0, FIRST_OWN)).map((table) => html`<${TableCard} key=${table.id} table=${table} me=${me} />`)}
    </ul>
    ${!all && items.length > FIRST_OWN && html`<div class="row center"><button onClick=${() => showAll(true)}>Show all ${items.length} of them</button></div>`}
  </section>`;
}

function QuickStart({ games }) {
  return html`<ul class="games">
    ${games.map(
      (game) => html`<li class="game-card" key=${game.game}>
        <${GameMark} game=${game.game} large />
        <h2>${game.title}</h2>
        <p class="muted">${GAME_LINES[game.game] || `For ${game.seats[0]} to ${game.seats.at(-1)} players.`}</p>
        <${QuickButtons} game=${game} />
      </li>`,
    )}
  </ul>`;
}

function QuickButtons({ game }) {
  const [start, busy, error] = useAction(async () => {
    if (!(await needPlayer())) return;
    const bot = game.bots.includes("greedy") ? "greedy" : game.bots.at(-1);
    const table = await post("/v1/tables", { game: game.game, seats: [{ kind: "me" }, { kind: "ai", bot }] });
    navigate(`/tables/${table.id}`);
  });
  return html`<div class="row">
      <button class="primary" disabled=${busy} onClick=${start}>
        Play a bot<span class="sr"> at ${game.title}</span>
      </button>
      <a class="button" href=${`/new?game=${game.game}`}>New table<span class="sr"> of ${game.title}</span></a>
    </div>
    <${ErrorNote} error=${error} />`;
}

function Lobby({ query }) {
  usePage("Lobby");
  const me = useSession();
  const status = STATUSES.some(([name]) => name === query.get("status")) ? query.get("status") : "open";
  const game = query.get("game") || "";
  const [catalogue, setCatalogue] = useState(null);
  const games = catalogue ?? KNOWN;
  const [error, setError] = useState(null);
  const path = `/v1/tables?status=${status}&limit=20${game ? `&game=${encodeURIComponent(game)}` : ""}`;
  const [list, setList] = useState(() => arrived(path) && { path, ...arrived(path) });

  const loadGames = () => get("/v1/games").then((answer) => setCatalogue(answer.items), setError);
  useEffect(() => {
    loadGames();
  }, []);
  const load = async () => {
    try {
      const first = await getFirst(path);
      setError(null);
      setList((old) => {
        if (!old || old.path !== path || !old.isLonger) return { path, ...first };
        const fresh = new Set(first.items.map((table) => table.id));
        return { ...old, items: [...first.items, ...old.items.filter((table) => !fresh.has(table.id))] };
      });
    } catch (reason) {
      setError(reason);
    }
  };
  useEffect(() => {
    if (list?.path !== path) load();
  }, [path]);
  useEvery(5, () => Promise.all([load(), catalogue ?? loadGames()]), [path, catalogue]);
  const [more, moreBusy] = useAction(async () => {
    const next = await get(`${path}&cursor=${encodeURIComponent(list.next_cursor)}`);
    const known = new Set(list.items.map((table) => table.id));
    setList({
      ...next,
      path,
      isLonger: true,
      items: [...list.items, ...next.items.filter((table) => !known.has(table.id))],
    });
  });
  const current = list?.path === path ? list : null;
  const [, , empty] = STATUSES.find(([name]) => name === status);
  return html`
    <section class="hero">
      <${Heading}>Play among the stars<//>
      <p>Three card games, against friends or bots. Every deal is fair and can be checked; every move is on the record.</p>
    </section>
    <${QuickStart} games=${games} />
    ${me && html`<${MyTables} me=${me} />`}
    <section aria-labelledby="tables">
      <div class="row between">
        <h2 id="tables">Tables</h2>
        <span class="inline">
          <select aria-label="Game" value=${game} onChange=${(event) => navigate(withQuery({ game: event.target.value || null }), { replace: true })}>
            <option value="">All games</option>
            ${games.map((each) => html`<option value=${each.game}>${each.title}</option>`)}
          </select>
        </span>
      </div>
      <div class="tabs" role="group" aria-label="Which tables">
        ${STATUSES.map(
          ([name, title]) => html`<button
            aria-pressed=${String(name === status)}
            onClick=${() => navigate(withQuery({ status: name }), { replace: true })}
          >
            ${title}
          </button>`,
        )}
      </div>
      <${ErrorNote} error=${error} retry=${() => Promise.all([load(), catalogue ?? loadGames()])} />
      ${!current
        ? !error && html`<${Loading} />`
        : current.items.length
          ? html`<ul class="rows">
              ${current.items.map((table) => html`<${TableCard} key=${table.id} table=${table} me=${me} />`)}
            </ul>`
          : html`<p class="empty">${empty}</p>`}
      ${current?.next_cursor &&
      html`<div class="row center"><button disabled=${moreBusy} onClick=${more}>Show more</button></div>`}
    </section>
  `;
}
return { default: Lobby };
})();
export const app = (() => {
const { Component, html, render, useEffect, useRef, useState } = vendor_htm_preact;
const { useAddress } = lib_router;
const { allArrived } = lib_api;
const { session } = lib_session;
const { ErrorNote, Loading, NameDialog, needPlayer, useSession } = lib_ui;
const { default: Lobby } = pages_lobby;

const styles = new Map();
for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
  styles.set(link.href.match(/(\w+)\.css$/)[1], Promise.resolve());
}

function style(name) {
  if (!styles.has(name)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`css/${name}.css`, import.meta.url).href;
    styles.set(name, new Promise((resolve) => ["load", "error"].forEach((event) => link.addEventListener(event, resolve))));
    document.head.append(link);
  }
  return styles.get(name);
}

const withTable = async (page) => (await Promise.all([page, style("cards"), style("table")]))[0];

const toLobby = async () => ({ default: Lobby });
const PAGES = [
  [/^\/$/, toLobby],
  [/^\/new$/, () => import("./more.js").then((bundle) => bundle.pages_create)],
  [/^\/verify$/, () => import("./more.js").then((bundle) => bundle.pages_verify)],
  [/^\/tables\/([^/]+)$/, () => withTable(import("./table.js").then((bundle) => bundle.pages_table))],
  [/^\/tables\/([^/]+)\/replay$/, () => withTable(import("./table.js").then((bundle) => bundle.pages_replay))],
  [/^\/players\/([^/]+)$/, () => import("./more.js").then((bundle) => bundle.pages_player)],
  [/^\/tournaments(?:\/(.+))?$/, () => withTable(import("./more.js").then((bundle) => bundle.pages_tournaments))],
];

const views = new Map([[toLobby, Lobby]]);

function pageOf(path) {
  const [match, load] = PAGES.map(([pattern, fetches]) => [path.match(pattern), fetches]).find(([found]) => found) ?? [];
  return [match?.[1], load];
}

const open = async (load) => views.has(load) || views.set(load, (await load()).default);

function rememberTheme(theme) {
  const lasts = theme === "system" ? 0 : 31536000;
  document.cookie = `starledger-theme=${theme}; path=/; max-age=${lasts}; samesite=lax`;
}

function ThemeButton() {
  const [theme, set] = useState(document.documentElement.dataset.theme || "system");
  const next = { system: "dark", dark: "light", light: "system" }[theme];
  const change = () => {
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    rememberTheme(next);
    set(next);
  };
  const face = { system: "◐", dark: "☾", light: "☀" }[theme];
  return html`<button class="icon-button" onClick=${change} title=${`Theme: ${theme}`}>
    <span aria-hidden="true">${face}</span><span class="sr">Theme: ${theme}. Change to ${next}.</span>
  </button>`;
}

function Who() {
  const player = useSession();
  if (!player) return html`<button class="small name-button" onClick=${needPlayer}><span>Choose a </span>name</button>`;
  return html`<a class="who" href=${`/players/${player.id}`}>
    <span class="avatar" aria-hidden="true">${[...player.name][0].toUpperCase()}</span>
    <span class="who-name">${player.name}</span>
  </a>`;
}

function Page({ path, query }) {
  const [id, load] = pageOf(path);
  const [View, setView] = useState(() => views.get(load));
  const [error, setError] = useState(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (View || !load) return undefined;
    let isCurrent = true;
    setError(null);
    open(load).then(
      () => isCurrent && setView(() => views.get(load)),
      () => isCurrent && setError(new Error("This part of the page could not be loaded.")),
    );
    return () => {
      isCurrent = false;
    };
  }, [tries]);
  const again = () => setTries(tries + 1);
  const retry = tries ? () => fetch(location.href).then(() => location.reload(), again) : again;
  if (error) return html`<${ErrorNote} error=${error} retry=${retry} />`;
  return View ? html`<${View} id=${id} query=${query} />` : html`<${Loading} />`;
}

class Guard extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }

  render({ children }, { failed }) {
    if (!failed) return children;
    return html`<h1>This can't be shown</h1>
      <p>Something here is not as this page expects it. Loading it anew may help.</p>
      <button class="primary" onClick=${() => location.reload()}>Load anew</button>`;
  }
}

function Lost() {
  useSession();
  if (!session.wasLost) return null;
  return html`<div class="note" role="status">
    This server does not know your name any more. Choose a new one to play.
    <button class="small" onClick=${needPlayer}>Choose a name</button>
  </div>`;
}

function App() {
  const { path, query } = useAddress();
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      document.documentElement.dataset.moved = "yes";
      scrollTo(0, 0);
    }
    first.current = false;
  }, [path]);
  const at = (start) => (path === start || (start !== "/" && path.startsWith(`${start}/`)) ? "page" : undefined);
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/" aria-label="Starledger, lobby">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <circle cx="15" cy="17" r="8" fill="var(--accent)" />
          <path d="M3 22c6 2 19-3 26-11" fill="none" stroke="var(--gold)" stroke-width="2.6" stroke-linecap="round" />
          <path d="M25 2l1.3 3.200L29.5 6.500l-3.2 1.300L25 11l-1.3-3.2-3.2-1.3 3.2-1.300z" fill="var(--text)" />
        </svg>
        <span>Starledger</span>
      </a>
      <nav aria-label="Main">
        <a href="/" aria-current=${at("/")}>Lobby</a>
        <a href="/tournaments" aria-current=${at("/tournaments")}>Tournaments</a>
        <a href="/verify" aria-current=${at("/verify")}>Verify</a>
      </nav>
      <div class="top-end"><${ThemeButton} /><${Who} /></div>
    </header>
    <main id="main" tabindex="-1"><${Lost} /><${Guard} key=${path}><${Page} path=${path} query=${query} /><//></main>
    <footer class="bottom">
      <span>Every deal can be checked, every move is on the record.</span>
      <nav aria-label="More"><a href="/docs">API reference</a><a href="/openapi.yaml">openapi.yaml</a></nav>
    </footer>
    <${NameDialog} />
  `;
}

const letGo = () =>
  document.querySelector("a:active") &&
  new Promise((resolve) => {
    for (const event of ["pointerup", "pointercancel", "dragend", "keyup"]) addEventListener(event, () => setTimeout(resolve), { once: true });
  });

const LONGEST_WAIT_MS = 300;
const [, load] = pageOf(location.pathname);
Promise.all([allArrived(LONGEST_WAIT_MS), load && open(load).catch(() => {})]).then(letGo).then(() => {
  const root = document.getElementById("app");
  for (const note of document.querySelectorAll(".boot, .late")) note.remove();
  for (const link of root.querySelectorAll("a.primary")) {
    const button = document.createElement("button");
    const isHeld = link === document.activeElement;
    button.append(...link.childNodes);
    link.replaceWith(button);
    if (isHeld) button.focus({ preventScroll: true });
  }
  render(html`<${App} />`, root);
});
return {  };
})();
export const lib_live = (() => {
const { Problem, authorization, get, pause } = lib_api;

const SILENCE_MS = 40_000;
const LONGEST_WAIT_MS = 10_000;

async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const parts = rest.split(/\r\n\r\n|\n\n|\r\r/);
      rest = parts.pop();
      for (const part of parts) yield parsed(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(part) {
  const message = { event: "comment", data: "" };
  for (const line of part.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      message.data += (message.data ? "\n" : "") + value;
      if (message.event === "comment") message.event = "message";
    } else if (field === "event") message.event = value;
    else if (field === "id") message.id = value;
  }
  return message;
}

function follow(path, after, { onEntry, onReset, onEnd, onState }) {
  const stop = new AbortController();
  let last = after;
  let failures = 0;

  async function connect() {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    stop.signal.addEventListener("abort", abort);
    let timer = setTimeout(abort, SILENCE_MS);
    try {
      const answer = await fetch(path, {
        headers: {
          Accept: "text/event-stream",
          ...(last > 0 ? { "Last-Event-ID": String(last) } : {}),
          ...authorization(),
        },
        signal: attempt.signal,
        cache: "no-store",
      });
      if (answer.status === 204) return "ended";
      if (answer.status === 503) return await askOnce(attempt.signal);
      if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
      onState("live");
      for await (const message of messages(answer.body)) {
        clearTimeout(timer);
        timer = setTimeout(abort, SILENCE_MS);
        failures = 0;
        if (message.event === "message") {
          const entry = JSON.parse(message.data);
          if (entry.version !== last + 1) return "reset";
          last = entry.version;
          onEntry(entry);
        } else if (message.event === "end") return "ended";
        else if (message.event === "reset") return "reset";
      }
      return "broken";
    } finally {
      clearTimeout(timer);
      stop.signal.removeEventListener("abort", abort);
      attempt.abort();
    }
  }

  async function askOnce(signal) {
    const { items, status } = await get(`${path}?after=${last}&limit=200&wait=20`, { signal, tries: 1 });
    onState("live");
    for (const entry of items) {
      last = entry.version;
      onEntry(entry);
    }
    if (!items.length && (status === "finished" || status === "aborted")) return "ended";
    return "again";
  }

  async function run() {
    while (!stop.signal.aborted) {
      let outcome = "broken";
      onState(failures ? "waiting" : "connecting");
      try {
        outcome = await connect();
      } catch (reason) {
        outcome = reason.status === 404 ? "ended" : "broken";
      }
      if (stop.signal.aborted) return;
      if (outcome === "ended") {
        onState("ended");
        onEnd?.();
        return;
      }
      if (outcome === "reset") {
        onReset();
        return;
      }
      if (outcome === "again") continue;
      failures += 1;
      onState("waiting");
      const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
      const online = new AbortController();
      addEventListener("online", () => online.abort(), { once: true, signal: stop.signal });
      await pause(wait, AbortSignal.any([stop.signal, online.signal]));
    }
  }

  run();
  return () => stop.abort();
}
return { messages, follow };
})();
